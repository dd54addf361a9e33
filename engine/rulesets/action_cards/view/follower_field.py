"""Field that places a group's followers around their lead, on foot or out of a vehicle."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from engine.rulesets.action_cards.rules.board import followers, table
from engine.rulesets.action_cards.rules.movement.moves import LeadMove
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.scene.fields import AnyField, Placement


def follower_field(state: Skirmish, lead_move: LeadMove, field: AnyField) -> Placement:
    """Fill in one figure of each body but the lead's, with its default place. Raises IllegalIntent."""
    standing = followers.default_places(state, lead_move)
    others = [body[0] for body in table.bodies(state, state.groups[lead_move.group]) if lead_move.lead not in body]
    return replace(
        cast("Placement", field),
        lazy=False,
        around=lead_move.to,
        radius=table.radius(state, lead_move.lead),
        within=followers.spread_of(len(standing)),
        pieces=tuple(map(names.piece_node, others)),
        default={names.piece_node(id): standing[id] for id in others},
    )
