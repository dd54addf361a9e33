"""A random player of Apocalypse: Earth who hides a unit in a house and never shows it."""

from __future__ import annotations

from typing import Final

from engine.core.bots.bot import BotView
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.node_ids import zone_node
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import box_of, middle_of
from protocol.ids import NodeId
from protocol.scene.fields import Pieces
from protocol.scene.nodes import Choice, Feature, Group, Point, Reply, Zone

TRIES: Final = 20
HOUSE: Final = "brick_house"


class Lurker:
    """Bot that hides its last unit in a brick house of its zone, deploys the rest by default, and from then on plays at
    random, but never with what is hidden."""

    def __init__(self, seed: int) -> None:
        self._random = RandomBot(seed)

    async def decide(self, view: BotView) -> Reply:
        choices = {choice.id: choice for choice in view.prompt.choices}
        if "deploy_rest" in choices:
            return _deployed(view, choices)
        if "answer" in choices:
            return Reply("hold")
        for _ in range(TRIES):
            reply = await self._random.decide(view)
            if not any(_is_hidden(view, unit) for unit in _units(reply)):
                return reply
        return Reply("pass" if "pass" in choices else view.prompt.default)

    def refused(self, reply: Reply, code: str) -> None:
        self._random.refused(reply, code)


def _deployed(view: BotView, choices: dict[str, Choice]) -> Reply:
    spots = _spots(view)
    own = [id for id, node in view.nodes.items() if isinstance(node, Group) and node.owner == view.seat]
    if not spots or "hide" not in choices or any(_is_hidden(view, id) for id in own):
        return Reply("deploy_rest")
    units = choices["hide"].fields[0]
    assert isinstance(units, Pieces)
    return Reply("hide", {"unit": [units.options[-1].id], "to": list(spots[0])})


def _units(reply: Reply) -> list[NodeId]:
    named = reply.fields.get("unit", ())
    return [NodeId(str(id)) for id in named] if isinstance(named, list) else []


def _is_hidden(view: BotView, id: NodeId) -> bool:
    node = view.nodes.get(id)
    return isinstance(node, Group) and "hidden" in node.status


def _spots(view: BotView) -> list[Point]:
    """Return the middles of the brick houses in the zone of a seat."""
    zone = view.nodes.get(zone_node(f"start.{view.seat}"))
    houses = [node for node in view.nodes.values() if isinstance(node, Feature) and node.kind == HOUSE]
    middles = [middle_of(box_of(house.outline)) for house in houses]
    return [at for at in middles if isinstance(zone, Zone) and contains(at, zone.points)]
