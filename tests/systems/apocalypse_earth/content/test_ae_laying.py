"""Terrain laid by dice (AE-OPEN-30)."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest
from msgspec.structs import replace

from engine.rulesets.apocalypse_earth.content.battle_schema import LaidEntry
from engine.rulesets.apocalypse_earth.content.laying import free_fields
from engine.rulesets.apocalypse_earth.content.scenario_checks import FIELD
from engine.rulesets.apocalypse_earth.content.scenarios import scaled
from engine.rulesets.apocalypse_earth.rules.scenario.setup import start
from engine.rulesets.apocalypse_earth.state.model import Feature, Resolved
from engine.space.vectors.points import box_of
from tests.support.systems.ae_battle import Fight, FightRules
from tests.support.systems.ae_shipped import content, resolved
from tests.support.systems.skirmish import Play

pytestmark = pytest.mark.rule("AE-OPEN-30")
WOODS = [1, 2, 3, 4]
SIDES = [6, 6, 1, 1]


class Opened(Play):
    """A match with the dice of a real one."""

    rules = FightRules


def grounded(scenario: str) -> Resolved:
    """Return the content of a match without support from the air, for which dice are rolled, too."""
    match = resolved(scenario)
    return replace(match, options=replace(match.options, air=False))


def laid(scenario: str, seed: int) -> tuple[Feature, ...]:
    """Return the pieces on a table."""
    match = resolved(scenario)
    table: Any = Opened.opened(cast("Any", start(match, len(match.forces))), seed)
    found: tuple[Feature, ...] = table.state.features
    return found


def test_sides_are_rolled_and_pieces_lie_in_the_middle_of_their_fields() -> None:
    match = grounded("meeting_engagement")
    dice = [*WOODS, *SIDES * 4, 3, 4, 1, 6, *SIDES * 2, *SIDES * 2, *SIDES, 2, 5]
    table = Fight(start(match, 2), *dice, 6, 1).now.features
    boxes = {feature.id: box_of(feature.outline) for feature in table}
    assert boxes["woods_1"] == (950, 750, 2050, 2250), "8 + 3 by 8 + 7 cm around (15, 15)"
    assert boxes["woods_2"] == (3500, 1000, 5500, 2000)
    lines = [feature.outline for feature in table if feature.kind in ("hedge", "low_wall")]
    along = [outline[0][1] == outline[1][1] for outline in lines]
    assert along == [True, False, True, False], "1 to 3: along the table"
    assert {abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in lines} == {2000}
    left, bottom, right, top = boxes["rubble_15"]
    assert (right - left, top - bottom) == (800, 1100), "6 + 2 by 6 + 5 cm"
    left, bottom, right, top = boxes["stone_house_17"]
    assert (right - left, top - bottom) == (1200, 1000)


@pytest.mark.parametrize("id", ["meeting_engagement", "three_flags", "three_bridges", "regolith:six"])
def test_each_piece_has_a_field_of_its_own_clear_of_what_lies_there(id: str) -> None:
    scenario = content().forms[id].scenario
    wanted = Counter({lot.kind: lot.count for lot in scenario.lots})
    wanted.update(feature.kind for feature in scenario.features)
    for seed in range(5):
        table = laid(id, seed)
        assert Counter(feature.kind for feature in table) == wanted
        fields = [middle(feature) for feature in table[len(scenario.features) :]]
        assert len(set(fields)) == len(fields)
        assert set(fields) <= set(free_fields(scenario))
    assert laid(id, 1) != laid(id, 2)


def middle(feature: Feature) -> tuple[int, int]:
    left, bottom, right, top = box_of(feature.outline)
    return (left + right) // 2, (bottom + top) // 2


def test_fields_near_objectives_and_under_pieces_stay_empty() -> None:
    bridges = content().forms["three_bridges"].scenario
    assert {y for _, y in free_fields(bridges)} == {1800, 7800}
    assert len(free_fields(bridges)) == 16
    flags = content().forms["three_flags"].scenario
    crossing = {(7500, 7500), (7500, 4500), (10500, 7500), (7500, 10500), (4500, 7500)}
    assert (
        set(free_fields(flags))
        == {(x, y) for x in range(1500, 15000, FIELD) for y in range(1500, 15000, FIELD)} - crossing
    )


def test_where_nothing_is_laid_no_dice_are_rolled() -> None:
    match = grounded("loophole")
    table = Fight(start(match, 2))
    assert table.now.features == match.scenario.features
    assert table.match.record.rolls == 0


def test_other_tables_have_pieces_by_their_area() -> None:
    usual = {
        "woods": 5,
        "walls": 4,
        "hills": 2,
        "broken": 2,
        "marsh": 1,
        "rubble": 1,
        "houses": 1,
        "farms": 1,
        "huts": 1,
    }
    rows = {id: LaidEntry(id, ("woods",), count) for id, count in usual.items()}
    assert {id: scaled(row, (18000, 12000)) for id, row in rows.items()} == usual
    half = {id: scaled(row, (9000, 12000)) for id, row in rows.items()}
    assert half == {**dict.fromkeys(usual, 1), "woods": 3, "walls": 2}, "halves up"
    small = {id: scaled(row, (6000, 6000)) for id, row in rows.items()}
    assert {id for id, count in small.items() if count} == {"woods", "walls", "houses"}
