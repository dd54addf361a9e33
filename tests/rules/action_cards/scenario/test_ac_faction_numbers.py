"""Numbers of all faction profiles, as the ledger (AC-FACT-02) and docs/balance.md's tuning (AC-FACT-01) leave them.

U.N.I.T., Daleks and Spugs are the seed's, with the rulings of RULINGS.md; the others are ours. A tuned profile changes
its row here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

from engine.rulesets.action_cards.state.model import Faction, Profile, Vehicle
from tests.support.systems.shipped import shipped_content


class Row(NamedTuple):
    """Row of a faction. `kill`: in the open, in cover, in a building; `cards`: Single, Double, Triple; `groups` that
    are there from the start; the dice of its `weapons` in order; `figures`: shooting and close combat dice, width of
    the base in inches; `late`: the figures of each late group by the row with which it comes."""

    size: int
    move: int
    kill: tuple[int, int, int]
    cards: tuple[int, int, int]
    groups: int
    weapons: tuple[int, ...]
    figures: dict[str, tuple[int, int, float]]
    late: Mapping[int, int] = MappingProxyType({})


SEEDS: Final = {
    "unit": Row(
        *(4, 8, (6, 9, 12), (6, 4, 1), 6, (1, 2, 4)),
        {"rifleman": (1, 1, 1), "gunner": (2, 2, 1), "rocketeer": (4, 1, 1)},
    ),
    "daleks": Row(3, 6, (24, 30, 36), (5, 2, 0), 2, (6,), {"dalek": (6, 4, 1)}, {10: 1, 15: 1}),
    "spugs": Row(6, 16, (5, 7, 9), (5, 3, 1), 6, (1, 3), {"nipper": (1, 2, 0.8), "spitter": (3, 2, 1)}),
}
OURS: Final = {
    "levy": Row(8, 8, (6, 8, 10), (5, 2, 1), 5, (1, 1), {"fenman": (1, 1, 1), "punter": (1, 1, 1.4)}),
    "lodestones": Row(2, 7, (25, 30, 35), (5, 3, 0), 2, (7,), {"menhir": (7, 11, 1.6)}, {10: 1, 15: 1}),
    "hush": Row(3, 12, (9, 14, 19), (4, 3, 1), 6, (2, 4), {"stalker": (2, 3, 1), "marker": (4, 2, 1)}),
    "choir": Row(5, 10, (7, 9, 11), (4, 4, 1), 6, (1, 2), {"chorister": (1, 3, 1), "precentor": (2, 4, 1)}),
    "sappers": Row(5, 7, (7, 11, 15), (5, 3, 1), 6, (1, 3), {"sapper": (1, 1, 1), "blaster": (3, 2, 1)}),
    "kites": Row(4, 10, (9, 13, 17), (4, 4, 1), 5, (2, 3), {"flyer": (2, 1, 1), "postmaster": (3, 2, 1)}),
    "stitched": Row(7, 6, (7, 9, 11), (5, 3, 1), 5, (1,), {"mended": (1, 2, 1)}),
    "tithe": Row(4, 8, (9, 13, 17), (5, 3, 1), 5, (2, 1), {"bailiff": (2, 2, 1), "crier": (1, 1, 1)}),
    "lamplighters": Row(3, 7, (13, 19, 24), (6, 4, 0), 3, (4,), {"lighter": (4, 1, 1)}, {6: 2, 10: 1}),
    "column": Row(
        *(4, 8, (7, 10, 13), (5, 4, 2), 11, (1, 2, 7, 5, 3)),
        {
            "hand": (1, 1, 1),
            "teamster": (2, 1, 1),
            "outrider": (2, 1, 1),
            "mortarman": (0, 1, 1.8),
            "lorry": (0, 0, 2.2),
            "scout_car": (5, 5, 2),
            "gull": (3, 3, 2.6),
        },
    ),
}
VEHICLES: Final = {
    "lorry": (4.5, 2.2, 14, (22, 26, 30), 12),
    "scout_car": (3.6, 2, 12, (30, 35, 40), 0),
    "gull": (4.6, 2.6, 24, (24, 28, 32), 4),
}
"""Length and width, Move, kill numbers, seats."""


@cache
def factions() -> dict[str, Faction]:
    return dict(shipped_content().factions)


def told(faction: Faction) -> Row:
    return Row(
        faction.size,
        faction.move // 100,
        (faction.kill.open, faction.kill.cover, faction.kill.building),
        faction.cards.counts,
        len(faction.force) - len(faction.late),
        tuple(weapon.dice for weapon in faction.weapons),
        {one.id: (one.dice, one.close, one.radius / 50) for one in faction.profiles},
        {row: len(group) for row, group in zip(reversed(faction.late), reversed(faction.force), strict=False)},
    )


def profile(faction: str, id: str) -> Profile:
    return next(one for one in factions()[faction].profiles if one.id == id)


@pytest.mark.rule("AC-FACT-02")
@pytest.mark.parametrize("id", SEEDS)
def test_the_factions_of_the_seed_have_its_numbers(id: str) -> None:
    assert told(factions()[id]) == SEEDS[id]


@pytest.mark.rule("AC-FACT-01")
@pytest.mark.parametrize("id", OURS)
def test_our_factions_have_the_numbers_that_they_were_tuned_to(id: str) -> None:
    assert told(factions()[id]) == OURS[id]


@pytest.mark.rule("AC-FACT-01", "AC-FACT-02")
def test_every_faction_has_its_row() -> None:
    assert factions().keys() == SEEDS.keys() | OURS.keys()


@pytest.mark.rule("AC-FACT-01")
@pytest.mark.parametrize("id", VEHICLES)
def test_the_vehicles_of_the_column(id: str) -> None:
    vehicle = profile("column", id).vehicle
    assert isinstance(vehicle, Vehicle)
    kill = (vehicle.kill.open, vehicle.kill.cover, vehicle.kill.building)
    size = (vehicle.length / 100, vehicle.width / 100)
    assert (*size, vehicle.move // 100, kill, vehicle.seats) == VEHICLES[id]


@pytest.mark.rule("AC-FACT-01")
def test_crews_and_organisations() -> None:
    """Two punters share a gun's base, three mortarmen serve a mortar of seven dice while two of them are left."""
    punter, mortarman = profile("levy", "punter"), profile("column", "mortarman")
    assert (punter.crew, punter.gun) == (2, None)
    assert mortarman.crew == 3
    assert mortarman.gun is not None
    assert (mortarman.gun.dice, mortarman.gun.blast, mortarman.gun.least) == (0, 7, 2)
    assert {p.id for f in factions().values() for p in f.profiles if p.crew > 1} == {"punter", "mortarman"}
    column = factions()["column"]
    sizes = {kind: (column.organisation(kind).size, column.organisation(kind).move) for kind in column.kinds}
    assert sizes == {"": (4, 800), "outriders": (3, 1200), "battery": (3, 800)}
    assert [column.kinds.count(kind) for kind in ("", "outriders", "battery")] == [8, 2, 1]
