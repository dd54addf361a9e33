"""Votes of bots on proposals that no rule lists (AC-SPEC-02), by what the scene shows them."""

from __future__ import annotations

from typing import Final

from engine.core.bots.bot import BotView
from engine.core.rules.node_ids import seat_node, stack_node
from engine.space.vectors.points import box_of, in_box, widened
from protocol.scene import nodes as scene
from protocol.scene.nodes import Reply
from protocol.text import Text

ABSTAIN: Final = "abstain"
"""The default of a vote: no other question has it."""
STUN: Final = "effect.stun"
CLEAR: Final = "effect.clear"
SHELTER: Final = 150
"""Distance within which a feature may shelter figures."""


def is_vote(view: BotView) -> bool:
    """Tell whether the prompt is a vote on a proposal."""
    return view.prompt.default == ABSTAIN


def vote(view: BotView) -> Reply:
    """Vote no where the proposer is ahead of this player, or the effect takes something away from them; else yes."""
    return Reply("no" if _is_ahead(view) or _is_at_my_cost(view) else "yes")


def _is_ahead(view: BotView) -> bool:
    seats = {id: node for id, node in view.nodes.items() if isinstance(node, scene.SeatNode)}
    own = seats[seat_node(view.seat)].score
    proposer = view.prompt.title.a.get("seat")
    return any(node.name == proposer and node.score > own for node in seats.values())


def _is_at_my_cost(view: BotView) -> bool:
    """Tell whether a group of this player is to be stunned, or a feature cleared that shelters its figures."""
    effect, item = view.prompt.title.a.get("effect"), view.nodes.get(stack_node("proposal"))
    if not isinstance(effect, Text) or not isinstance(item, scene.StackItem):
        return False
    about = [view.nodes[id] for id in item.about if id in view.nodes]
    if effect.k == STUN:
        return any(isinstance(node, scene.Group) and node.owner == view.seat for node in about)
    features = [node for node in about if isinstance(node, scene.Feature)] if effect.k == CLEAR else []
    return any(_is_near_me(view, feature) for feature in features)


def _is_near_me(view: BotView, feature: scene.Feature) -> bool:
    box = widened(box_of(feature.outline), SHELTER)
    pieces = (node for node in view.nodes.values() if isinstance(node, scene.Piece))
    return any(piece.owner == view.seat and in_box(piece.at, box) for piece in pieces)
