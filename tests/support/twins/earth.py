"""Players of Apocalypse: Earth of whom one hides a unit, and other places for that unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from engine.core.bots.bot import Bot, BotView
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.kit.bots.look import options_of
from engine.rulesets.apocalypse_earth.rules.scenario import deployment
from engine.rulesets.apocalypse_earth.state import names
from engine.space.vectors.points import Point, box_of, towards
from protocol.ids import NodeId
from protocol.scene.fields import PickPoint
from protocol.scene.nodes import TABLE_NODE, Choice, Group, Piece, Reply, Table
from protocol.wire.from_client import Intent

if TYPE_CHECKING:
    from engine.core.match.match import Match

STEP: Final = 300
"""Length of a move: nobody comes near to who hides."""
SHIFTS: Final = [(x, y) for far in (50, 100, 200, 300) for x in (-far, 0, far) for y in (-far, 0, far)]
SILENT: Final = ("deploy_rest", "hold", "finish")
"""Choices that are taken wherever they are offered."""


class Walker:
    """Bot whose units come forward step by step and do nothing else; questions it answers at random. One that `hides`
    hides its units, which pass."""

    def __init__(self, seed: int, *, hides: bool) -> None:
        self._random: Bot = RandomBot(seed)
        self._hides = hides
        self._refused = 0

    async def decide(self, view: BotView) -> Reply:
        """Return the first of these that the prompt offers: to hide, what is silent, to move, to stand."""
        choices = {choice.id: choice for choice in view.prompt.choices}
        if self._hides and "hide" in choices:
            spots = await self._spots(view, choices["hide"])
            if self._refused < len(spots):
                return Reply("hide", {"unit": options_of(choices["hide"])[:1], "to": list(spots[self._refused])})
        for silent in SILENT:
            if silent in choices:
                return Reply(silent)
        if "rest" in choices and self._hides:
            return Reply("rest")
        if "move" in choices and not self._hides and not self._refused:
            return self._step(view, options_of(choices["move"])[0])
        self._refused = 0
        if "stand" in choices:
            return Reply("stand", {"unit": options_of(choices["stand"])[:1]})
        return await self._random.decide(view)

    def refused(self, reply: Reply, code: str) -> None:
        """Remember that a reply was refused: another place is tried, and who cannot move stands."""
        self._refused += 1
        self._random.refused(reply, code)

    async def _spots(self, view: BotView, choice: Choice) -> list[Point]:
        """Return places all over its zone, from one end to the other."""
        field = await view.detail("hide", {"unit": options_of(choice)[:1]})
        left, bottom, right, top = box_of(field.regions[0]) if isinstance(field, PickPoint) else (0, 0, 0, 0)
        return [((left + right) // 2, (bottom * n + top * (8 - n)) // 8) for n in range(1, 8)]

    @staticmethod
    def _step(view: BotView, unit: str) -> Reply:
        group, table = view.nodes[NodeId(unit)], view.nodes[TABLE_NODE]
        assert isinstance(group, Group)
        assert isinstance(table, Table)
        leader = view.nodes[group.pieces[0]]
        assert isinstance(leader, Piece)
        middle = table.size[0] // 2, table.size[1] // 2
        return Reply("move", {"unit": [unit], "way": list(towards(leader.at, middle, STEP))})


def hiding(match: Match[Any], seat: Seat) -> object:
    """Return where the units of a seat hide."""
    units = [unit for unit in match.state.units.values() if unit.hidden and unit.owner == seat]
    return [(unit.id, match.state.leader(unit).at) for unit in units]


def elsewhere(match: Match[Any], seat: int, intent: Intent) -> Intent:
    """Return an intent to hide the same unit at another place near by, where it may hide, too."""
    unit, to = intent.fields["unit"], intent.fields["to"]
    assert isinstance(unit, list)
    assert isinstance(to, list)
    x, y = map(int, to)
    for shift in SHIFTS:
        at = x + shift[0], y + shift[1]
        try:
            deployment.check_deploy(match.state, seat, deployment.Deploy(names.group_of(str(unit[0])), at, hidden=True))
        except IllegalIntent:
            continue
        if at != (x, y):
            return replace(intent, fields={**intent.fields, "to": list(at)})
    raise AssertionError("there is no other place")
