"""AC-HTH-01: contact, locked groups, and defended positions."""

from __future__ import annotations

import pytest

from engine.rulesets.action_cards.rules.board.combats import combat_of, touching_enemies
from engine.rulesets.action_cards.state.model import Feature
from protocol.ids import FigureId, GroupId
from tests.support.systems.melee import barrier, block, charge, field_of, only_combat

A_1 = FigureId("a.1")

A = GroupId("a")


@pytest.mark.rule("AC-HTH-01")
@pytest.mark.parametrize(("gap", "locked"), [(0, True), (4, True), (5, False), (60, False)])
def test_base_to_base(gap: int, locked: bool) -> None:
    """Bases touch when their gap is under five hundredths; then both groups are locked."""
    state = field_of({"a": (0, [(1000, 1000)]), "b": (1, [(2000, 1000), (2100, 1000)])})
    after = charge(state, A, A_1, (1900 - gap, 1000))
    assert (combat_of(after, A) is not None) is locked
    assert (combat_of(after, GroupId("b")) is not None) is locked


@pytest.mark.rule("AC-HTH-01")
def test_a_combat_remembers_who_charged_along_which_path() -> None:
    state = field_of({"a": (0, [(1000, 1000), (1000, 1100)]), "b": (1, [(2000, 1000)])})
    combat = only_combat(charge(state, A, A_1, (1900, 1000), _2=(1890, 1100)))
    assert combat.groups == ("b", "a")
    assert combat.charged == ("a",)
    assert combat.paths == {"a": ((1000, 1000), (1900, 1000))}
    assert (combat.defended, combat.defender) == ("", -1)


@pytest.mark.rule("AC-HTH-01")
def test_only_the_lead_makes_contact() -> None:
    state = field_of({"a": (0, [(1000, 1000), (1000, 1100)]), "b": (1, [(2000, 1000)])})
    after = charge(state, A, A_1, (1700, 1000), _2=(1900, 1000))
    assert not after.combats
    assert touching_enemies(after, A) == ()


@pytest.mark.rule("AC-HTH-01")
def test_all_enemy_groups_that_the_lead_touches_are_in_one_combat() -> None:
    """Every other faction is an enemy for contact; a third group near by stays out."""
    groups = {"a": (0, [(1000, 1000)]), "b": (1, [(2000, 1000)]), "c": (2, [(1900, 1100)]), "d": (1, [(2300, 1000)])}
    combat = only_combat(charge(field_of(groups), A, A_1, (1900, 1000)))
    assert combat.groups == ("b", "c", "a")


@pytest.mark.rule("AC-HTH-01")
@pytest.mark.parametrize(("gap", "met"), [(100, True), (101, False)])
def test_bases_within_an_inch_on_two_sides_of_a_wall(gap: int, met: bool) -> None:
    state = field_of(
        {"a": (0, [(1000, 1000)]), "b": (1, [(2000, 1000)])}, barrier("w", "wall", (1900, 500), (1900, 1500))
    )
    after = charge(state, A, A_1, (1900 - gap, 1000))
    assert bool(after.combats) is met
    if met:
        assert (only_combat(after).defended, only_combat(after).defender) == ("w", 1)


@pytest.mark.rule("AC-HTH-01")
def test_an_inch_apart_with_nothing_between_is_no_contact() -> None:
    wall = barrier("w", "wall", (1900, 500), (1900, 900))
    state = field_of({"a": (0, [(1000, 1000)]), "b": (1, [(2000, 1000)])}, wall)
    assert not charge(state, A, A_1, (1820, 1000)).combats


@pytest.mark.rule("AC-HTH-01")
def test_a_wire_fence_is_contact_but_no_position() -> None:
    fence = barrier("w", "wire", (1900, 500), (1900, 1500))
    combat = only_combat(
        charge(field_of({"a": (0, [(1000, 1000)]), "b": (1, [(2000, 1000)])}, fence), A, A_1, (1820, 1000))
    )
    assert (combat.defended, combat.defender) == ("", -1)


HOUSE = block("h", "building", 2000, 500, 2600, 1500)


@pytest.mark.rule("AC-HTH-01")
@pytest.mark.parametrize("x", [1946, 1950, 2040, 2090])
def test_touching_or_entering_the_edge_of_what_the_enemy_defends(x: int) -> None:
    state = field_of({"a": (0, [(1000, 1000)]), "b": (1, [(2500, 1000), (2500, 1100)])}, HOUSE)
    combat = only_combat(charge(state, A, A_1, (x, 1000)))
    assert combat.groups == ("b", "a")
    assert (combat.defended, combat.defender) == ("h", 1)


@pytest.mark.rule("AC-HTH-01")
@pytest.mark.parametrize(
    ("feature", "enemy", "x"),
    [
        (HOUSE, (2500, 1000), 1945),  # five hundredths short of the edge
        (HOUSE, (2900, 1000), 1950),  # nobody is in it
        (block("h", "river", 2000, 500, 2600, 1500), (2500, 1000), 1960),  # a river is no position
    ],
)
def test_no_contact_at_an_edge_that_is_not_reached_or_not_defended(
    feature: Feature, enemy: tuple[int, int], x: int
) -> None:
    state = field_of({"a": (0, [(1000, 1000)]), "b": (1, [enemy])}, feature)
    assert not charge(state, A, A_1, (x, 1000)).combats
    assert touching_enemies(charge(state, A, A_1, (enemy[0] - 100, 1000)), A) == ("b",)


@pytest.mark.rule("AC-HTH-01")
def test_who_moves_inside_a_shared_building_meets_bases_only_and_nobody_held_it() -> None:
    state = field_of({"a": (0, [(2050, 600)]), "b": (1, [(2500, 1000)])}, HOUSE)
    assert not charge(state, A, A_1, (2050, 1000)).combats
    assert only_combat(charge(state, A, A_1, (2400, 1000))).defended == ""


@pytest.mark.rule("AC-HTH-01")
def test_the_side_that_was_in_the_building_before_defends_it_even_if_it_moves() -> None:
    state = field_of({"a": (0, [(2500, 1000)]), "b": (1, [(1920, 1000)])}, HOUSE)
    combat = only_combat(charge(state, A, A_1, (2020, 1000)))
    assert (combat.defended, combat.defender) == ("h", 0)


@pytest.mark.rule("AC-HTH-01")
def test_a_wall_is_defended_only_against_those_who_come_over_it() -> None:
    wall = barrier("w", "wall", (1900, 500), (1900, 1500))
    groups = {"a": (0, [(1000, 1000)]), "b": (1, [(2010, 1000)]), "c": (2, [(2800, 1000)])}
    over = charge(field_of(groups, wall), A, A_1, (1910, 1000))
    assert (only_combat(over).defended, only_combat(over).defender) == ("w", 1)
    behind = charge(field_of(groups, wall), GroupId("c"), FigureId("c.1"), (2110, 1000))
    assert only_combat(behind).defended == ""


@pytest.mark.rule("AC-HTH-01")
def test_of_several_positions_the_best_cover_counts() -> None:
    wall = barrier("w", "wall", (1980, 500), (1980, 1500))
    state = field_of({"a": (0, [(1000, 1000)]), "b": (1, [(2050, 1000)])}, wall, HOUSE)
    combat = only_combat(charge(state, A, A_1, (1920, 1000)))
    assert (combat.defended, combat.defender) == ("h", 1)
