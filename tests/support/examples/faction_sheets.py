"""A page of a faction as a server sends it, and the game that has it: the Salt Column with the rules of the Sappers."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec.structs import replace

from engine.rulesets.action_cards.content.content import scenarios
from engine.rulesets.action_cards.view.factions import sheet
from protocol.text import Text
from protocol.wire.choices import FactionChoice, ScenarioChoice, SystemChoice
from protocol.wire.faction_pages import FactionSheet, FactionShown, ReadyList
from protocol.wire.from_server import Systems
from tests.support.systems.shipped import shipped_content

LONG: Final = "column"


@cache
def long_sheet() -> FactionSheet:
    """Return the page of a faction with units of every kind, special rules and a ready list."""
    column, sappers = sheet(shipped_content(), LONG), sheet(shipped_content(), "sappers")
    assert column is not None
    assert sappers is not None
    ready = ReadyList(Text("2000 of 2000 points"), tuple(Text(f"{number} x carbine: 99 points") for number in range(9)))
    return replace(column, rules=sappers.rules, lists=(ready,))


def shown(system: str, faction: str = LONG, name: str = "a1", **changes: object) -> FactionShown:
    """Return the page of a faction under a hash, with these fields changed."""
    fields = {"hash": name, "sheet": long_sheet()} | changes
    return FactionShown(system, faction, **fields)  # type: ignore[arg-type]


def game(system: str, scenario: str, *, points: int = 0) -> Systems:
    """Return a game of one scenario with the factions of the card game."""
    factions = tuple(FactionChoice(f.id, f.name, f.lines) for f in scenarios(shipped_content())[0].factions)
    played = ScenarioChoice(scenario, Text("Mill"), Text("Four meet at a mill."), 6, factions, points=points)
    return Systems((SystemChoice(system, Text("Game"), (played,), ("level1",)),))
