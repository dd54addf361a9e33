"""Powers, kinds of terrain and tables as the ledger has them (OP-OPEN-14, OP-OPEN-15, OP-SETUP-02)."""

from __future__ import annotations

from typing import Final

import pytest

from engine.rulesets.one_page.state.model import Power, Terrain
from tests.support.systems import op_shipped
from tests.support.systems.army_book import book

POWERS: Final = {
    "ember_lash": ("ash", 1, 18, "enemy", "3 hits"),
    "heat_shield": ("ash", 1, 12, "friend", "armored"),
    "choking_smoke": ("ash", 2, 24, "enemy", "smoked"),
    "lance_of_fire": ("ash", 2, 24, "enemy", "2 hits, piercing, side"),
    "burning_blood": ("ash", 3, 12, "friend", "furious, hatred"),
    "pyre": ("ash", 4, 24, "enemy", "2D6 hits"),
    "whispers": ("veil", 1, 18, "enemy", "whispers"),
    "mirror_step": ("veil", 1, 12, "friend", "covered"),
    "haste": ("veil", 2, 12, "friend", "haste"),
    "clear_mind": ("veil", 2, 18, "friend", "clear_mind, fearless"),
    "terror": ("veil", 3, 18, "enemy", "terror"),
    "passage": ("veil", 4, 12, "friend", "passage"),
}
INFANTRY_ALONE: Final = ("vehicle", "walker", "monster")
TERRAIN: Final = (
    Terrain("forest", "", cover=True, difficult=True, blocks=True, bars=("vehicle",)),
    Terrain("ruins", "", cover=True, difficult=True, blocks=True, bars=("vehicle",)),
    Terrain("bunker", "", cover=True, blocks=True, bars=INFANTRY_ALONE, room=15),
    Terrain("crater", "", cover=True),
    Terrain("barricade", "", cover=True, line=True, toll=200, trips=True),
    Terrain("swamp", "", difficult=True, bogs=True),
    Terrain("water", "", impassable=True),
    Terrain("hill", "", blocks=True),
    Terrain("building", "", impassable=True, blocks=True),
    Terrain("minefield", "", mined=True),
)
LOTS: Final = [
    ("forest", 5, 7, 11),
    ("ruins", 4, 6, 9),
    ("hill", 2, 8, 11),
    ("barricade", 2, 6, 9),
    ("swamp", 1, 7, 10),
    ("building", 1, 6, 8),
]
"""Pieces of each kind: their numbers are the ledger's, their widths, from 6 to 12 inches, are ours."""


def told(power: Power) -> str:
    """Describe a power in the words of the table above."""
    hits = [f"{power.hits} hits"] * bool(power.hits) + [f"{power.dice}D6 hits"] * bool(power.dice)
    own = [power.effect] if power.effect in ("whispers", "clear_mind", "passage") else []
    assert (power.effect == "hits") is bool(hits)
    return ", ".join([*hits, *own, *power.rules, *["side"] * power.side])


@pytest.mark.rule("OP-OPEN-14")
def test_powers_are_those_of_the_ledger() -> None:
    assert {
        power.id: (
            power.discipline,
            power.successes,
            power.range // 100,
            "friend" if power.friend else "enemy",
            told(power),
        )
        for power in op_shipped.content().powers
    } == POWERS


@pytest.mark.rule("OP-OPEN-14")
def test_disciplines_keep_the_numbers_that_saved_lists_know_them_by() -> None:
    assert {row.id: row.number for row in book().disciplines.values()} == {"ash": 1, "veil": 2}


@pytest.mark.rule("OP-OPEN-15")
def test_kinds_of_terrain_are_those_of_the_ledger() -> None:
    found = op_shipped.content().terrain
    plain = {
        id: Terrain(id, "", *[getattr(kind, field) for field in kind.__struct_fields__[2:]])
        for id, kind in found.items()
    }
    assert plain == {kind.id: kind for kind in TERRAIN}


@pytest.mark.rule("OP-SETUP-02", "OP-OPEN-15")
def test_tables_are_eight_by_six_feet_but_for_the_first_and_laid_as_the_ledger_says() -> None:
    scenarios = op_shipped.content().scenarios.values()
    assert {one.id: (one.size, one.points, one.minutes) for one in scenarios} == {
        "crossroads_3000": ((9600, 7200), 3000, 120),
        "first_clash": ((4800, 4000), 3000, 15),
        "open_field_3000": ((9600, 7200), 3000, 120),
        "open_field_6000": ((9600, 7200), 6000, 200),
    }
    lots = {one.id: [(lot.kind, lot.count, lot.least // 100, lot.most // 100) for lot in one.lots] for one in scenarios}
    assert lots == {"crossroads_3000": [], "first_clash": [], "open_field_3000": LOTS, "open_field_6000": LOTS}
