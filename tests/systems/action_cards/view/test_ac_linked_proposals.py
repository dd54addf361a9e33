"""Proposals of linked fire: all who may join at first, and whoever stays in after that."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.record import Record
from engine.core.view.proposals import FilledChoice, proposal_for
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import NodeId
from protocol.scene.fields import Pieces
from protocol.scene.nodes import Point
from tests.support.play.many_plays import SeededDice
from tests.support.systems import skirmish
from tests.support.systems.skirmish import area, line_up

FIRST, SECOND, THIRD, FOE = "group/0.1", "group/0.2", "group/0.3", "group/1.1"
HIDDEN = area("rock", "trees", 5500, 1800, 7000, 2200)
PLACES: Mapping[str, tuple[Point, ...]] = {
    "0.1": line_up(2, 1000, 1000),
    "0.2": line_up(4, 2000, 1000),
    "0.3": line_up(3, 3000, 1000),
    "1.1": line_up(3, 2000, 3000),
}


def situation(cards: str = "0.triple.1", places: Mapping[str, tuple[Point, ...]] = PLACES) -> Situation[Skirmish]:
    state = skirmish.table(places, [HIDDEN], cards=(cards,))
    return Situation(system, Seat(0), state, Record(seats=len(state.seats)), SeededDice(1))


def proposed(now: Situation[Skirmish], **fields: list[str]) -> FilledChoice:
    return proposal_for(now, "linked", {"first": [FIRST], "target": [FOE], **fields})


@pytest.mark.rule("AC-SHOOT-04")
def test_all_groups_that_see_the_target_join_those_with_most_dice_first() -> None:
    assert proposed(situation()).fields == {
        "first": [FIRST],
        "second": [SECOND],
        "third": [THIRD],
        "target": [FOE],
    }
    double = proposed(situation("0.double.1")).fields
    assert (double["second"], "third" in double) == ([SECOND], False)


@pytest.mark.rule("AC-SHOOT-04")
def test_who_does_not_see_the_target_stays_out_and_one_group_alone_shoots_twice() -> None:
    behind = {**PLACES, "0.2": line_up(4, 6000, 500), "1.1": line_up(3, 6000, 3500)}
    near = {**behind, "0.1": line_up(2, 1000, 3500), "0.3": line_up(3, 6000, 900)}
    alone = proposed(situation(places=near)).fields
    assert (alone["second"], alone.get("third")) == ([FIRST], None)


def test_who_was_taken_out_stays_out_and_the_forecast_follows() -> None:
    now = situation()
    whole, fewer = proposed(now), proposed(now, second=[THIRD], third=[])
    assert fewer.fields["second"] == [THIRD]
    assert fewer.fields["third"] == []
    assert whole.forecast is not None
    assert fewer.forecast is not None
    assert whole.forecast.mean > fewer.forecast.mean > 0


def test_the_groups_may_be_changed_and_come_with_their_options() -> None:
    open_fields = {field.key: field for field in proposed(situation()).open}
    second = open_fields["second"]
    assert isinstance(second, Pieces)
    assert {option.id for option in second.options} == {FIRST, SECOND, THIRD}


def test_a_survey_tells_what_the_group_in_focus_sees() -> None:
    now = situation(places={**PLACES, "1.1": line_up(3, 6000, 3500), "0.1": line_up(2, 6000, 500)})
    choice = next(choice for choice in now.choices() if choice.id == "linked")
    by_first = {target.id: target.why for target in survey_of(now, choice, NodeId(FIRST)).targets}
    by_second = {target.id: target.why for target in survey_of(now, choice, NodeId(SECOND)).targets}
    assert by_first[NodeId(FOE)] is not None
    assert by_second[NodeId(FOE)] is None
