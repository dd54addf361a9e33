"""Battles in sides of two: who is an enemy, whose turn it is, who deploys where, who wins."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.system import Setup
from engine.rulesets.one_page import system
from engine.rulesets.one_page.rules import activations, rounds, scoring
from engine.rulesets.one_page.rules.shooting import check_target
from engine.rulesets.one_page.state.placing_events import SidesTaken
from engine.rulesets.one_page.state.state import TABLE, Battle
from protocol.ids import GroupId
from server.cli.simulation.simulate import installed, play
from server.content.systems import Installed
from tests.support.systems.battle import refusal

PAIRS = (0, 1, 0, 1)


@pytest.fixture(scope="module")
def shipped() -> Installed:
    return installed("one_page")


def begun(shipped: Installed) -> Battle:
    """Return a battle in sides with all units on the table, nowhere near each other."""
    resolved = system.setup(shipped.content, Setup("open_field_6000:sides", ("",) * 4))
    state = system.start(resolved, 4)
    units = {id: replace(unit, where=TABLE) for id, unit in state.units.items()}
    return replace(state, units=units, phase="battle", round=1)


def test_a_form_in_sides_has_four_seats_and_half_of_the_points_for_each(shipped: Installed) -> None:
    whole, shared = shipped.scenarios["open_field_6000"], shipped.scenarios["open_field_6000:sides"]
    assert (whole.seats, whole.points, whole.sides) == (2, 6000, ())
    assert (shared.seats, shared.points, shared.sides, shared.form_of) == (4, 3000, PAIRS, whole.id)
    assert "crossroads_3000:sides" not in shipped.scenarios
    assert system.sides(begun(shipped)) == PAIRS


def test_a_side_deploys_wholly_on_its_edge_seat_after_seat(shipped: Installed) -> None:
    state = begun(shipped)
    taken = SidesTaken(1, "south").apply(state)
    assert [seat.side for seat in taken.seats] == ["north", "south", "north", "south"]
    assert taken.first == 1
    assert state.side_by_side(1) == [1, 3, 2, 0]
    assert state.side_by_side(0) == [0, 2, 1, 3]
    assert state.leaders == (0, 1)


@pytest.mark.rule("OP-ACT-01")
def test_sides_alternate_and_within_a_side_the_turn_goes_round(shipped: Installed) -> None:
    state = begun(shipped)
    assert [activations.next_player(state, seat) for seat in range(4)] == [1, 2, 3, 0]
    units = {id: replace(unit, done=unit.owner == 1) for id, unit in state.units.items()}
    assert activations.next_player(replace(state, units=units), 0) == 3, "the ally of one who has none left"
    units = {id: replace(unit, done=unit.owner in (1, 3)) for id, unit in state.units.items()}
    assert activations.next_player(replace(state, units=units), 0) == 2
    assert rounds.out_now(replace(state, units=units, first=2)) == [3, 1]


def test_nobody_shoots_at_a_friend(shipped: Installed) -> None:
    state = begun(shipped)
    assert refusal(check_target, state, 0, state.units[GroupId("0.1")], GroupId("2.1")) == "shoot/no-target"
    assert not state.hostile(0, 2)
    assert state.foe(2) == 3


@pytest.mark.rule("OP-SETUP-04")
def test_the_points_are_those_of_the_side_and_it_wins_together(shipped: Installed) -> None:
    state = begun(shipped)
    units = {id: replace(unit, pinned=unit.owner == 3) for id, unit in state.units.items()}
    state = replace(state, units=units, ended="rounds")
    result = scoring.final(state)
    assert [seat.won for seat in result.seats] == [True, False, True, False]
    assert result.seats[0].score == result.seats[2].score > 0 == result.seats[1].score
    assert [(side.side, side.won) for side in result.sides] == [(0, True), (1, False)]
    assert result.sides[0].score == result.seats[0].score


@pytest.mark.rule("OP-ACT-02")
def test_a_side_is_beaten_when_none_of_its_seats_has_a_unit(shipped: Installed) -> None:
    state = begun(shipped)
    gone = {id: unit for id, unit in state.units.items() if unit.owner != 1}
    assert not rounds.beaten(replace(state, units=gone))
    gone = {id: unit for id, unit in gone.items() if unit.owner != 3}
    assert rounds.beaten(replace(state, units=gone))


@pytest.mark.long("properties")
@pytest.mark.parametrize("kind", ["random", "level1"])
def test_battles_in_sides_come_to_an_end_that_allies_share(shipped: Installed, kind: str) -> None:
    outcome = play(shipped, shipped.scenarios["open_field_6000:sides"], (kind,) * 4, 5, 0)
    assert outcome.finished
    assert {seat ^ 2 for seat in outcome.winners} == set(outcome.winners)
