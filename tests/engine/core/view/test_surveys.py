"""Surveys: what a thing could do, by the fields of each choice with a gesture for it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.advice import ChoiceSurvey
from engine.core.rules.audience import Seat
from engine.core.rules.steps import Steps
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of, surveyed_choices, target_of, targets_from
from protocol.ids import NodeId
from protocol.scene.advice import Forecast, ForecastBack, Gesture, Target
from protocol.scene.fields import AnyField, Barred, Option, PathPoint, PickPoint, Pieces
from protocol.scene.nodes import Choice
from protocol.text import Text, text
from tests.support.play.proving_checks import table_of
from tests.support.proving import system
from tests.support.proving.state import Field

WEST = Seat(0)
MINE, FOE = NodeId("group/1"), NodeId("group/2")
UNIT = Pieces("unit", text("unit"), options=(Option(MINE),), barred=(Barred("group/9", "spent/spent", text("spent")),))
SHOT = Gesture("unit", "target", "group", mark="shot", ends=True)


def situation() -> Situation[Field]:
    table = table_of(system, 3)
    while table.match.question is not None:
        table.play.expire()
    return Situation.of(table.match, WEST)


def surveyed(field: AnyField, subject: NodeId = MINE) -> ChoiceSurvey:
    """Survey a choice whose object is this field."""
    gesture = replace(SHOT, object=field.key)
    choice = Choice("act", text("act"), (UNIT, field), gesture=gesture)
    return survey_of(situation(), choice, subject)


def test_each_choice_with_a_gesture_for_a_thing_is_surveyed_the_lowest_rank_first() -> None:
    now, unit = situation(), NodeId("piece/u01")
    choices = surveyed_choices(now, unit)
    assert [choice.id for choice in choices] == ["advance", "march", "watch"]
    advance, march, watch = (survey_of(now, choice, unit) for choice in choices)
    assert advance.reach[0].cells
    assert [band.cost for band in march.reach] == [1, 2, 3]
    assert watch == ChoiceSurvey()
    assert surveyed_choices(now, NodeId("piece/u10")) == (), "another seat's"


def test_targets_and_the_reasons_against_others_are_told() -> None:
    far = Barred("group/3", "shoot/far", text("far"))
    target = Pieces("target", text("target"), options=(Option(FOE),), barred=(far,))
    assert surveyed(target).targets == (Target(FOE), Target(NodeId("group/3"), text("far")))


@pytest.mark.parametrize(
    ("barred", "why"),
    [
        ((), text("survey.nothing")),
        ((Barred("group/3", "shoot/far", text("far")),), text("far")),
        (
            (Barred("group/3", "far", text("far")), Barred("group/4", "wall", text("wall"))),
            text(
                "survey.joined",
                before=text("survey.most", share=1, count=2, why=text("far")),
                after=text("survey.more", share=1, count=2, why=text("wall")),
            ),
        ),
    ],
    ids=["none there", "one", "several"],
)
def test_a_choice_of_which_every_object_is_refused_stands_with_its_reason(
    barred: tuple[Barred, ...], why: Text
) -> None:
    found = surveyed(Pieces("target", text("target"), barred=barred))
    assert found.why == why
    assert [target.id for target in found.targets] == [bar.id for bar in barred]


def test_a_subject_that_cannot_act_is_told_why() -> None:
    target = Pieces("target", text("target"), options=(Option(FOE),))
    assert surveyed(target, NodeId("group/9")) == ChoiceSurvey(text("spent"))


def test_reach_is_that_of_the_field_of_places() -> None:
    square = ((0, 0), (9, 0), (9, 9))
    (band,) = surveyed(PickPoint("to", text("to"), regions=(square,), reach=600)).reach
    assert (band.cost, band.regions) == (600, (square,))
    (band,) = surveyed(PathPoint("at", text("at"), path=square)).reach
    assert band.regions == (square,)


def test_a_field_in_between_without_a_value_is_a_reason() -> None:
    between = Pieces("lead", text("lead"))
    choice = Choice("act", text("act"), (UNIT, between, PickPoint("to", text("to"))), gesture=Gesture("unit", "to"))
    assert survey_of(situation(), choice, MINE).why == text("refuse.reply/missing-field", field="lead")


def test_a_target_carries_what_its_forecast_says() -> None:
    back = (ForecastBack(FOE, ((0, 1000),)),)
    forecast = Forecast(outcomes=((0, 400), (1, 600)), mean=60, back=back, cover=text("wood"))
    assert target_of(FOE, forecast) == Target(FOE, chance=600, loss=60, cover=text("wood"), back=(FOE,))
    assert target_of(FOE, None) == Target(FOE)


def test_groups_that_could_be_shot_at_next_are_named_once_without_those_that_cannot() -> None:
    far = Barred("group/3", "shoot/far", text("far"))
    target = Pieces("target", text("target"), options=(Option(FOE),), barred=(far,))
    shoot = Choice("shoot", text("shoot"), (target,), about=(MINE,), gesture=Gesture("", "target", "group"))
    aimed = replace(shoot, id="aimed", gesture=Gesture("", "target", "group", 1))
    ask = situation()
    found = targets_from(Asked(ask, (aimed, shoot)), MINE)  # type: ignore[arg-type]  # what it needs of a situation
    assert found == (Target(FOE),)


class Asked:
    """A situation with choices of the test's own."""

    def __init__(self, of: Situation[Field], choices: tuple[Choice, ...]) -> None:
        self.system, self.seat, self.probe = of.system, of.seat, of.probe
        self._choices = choices

    def choices(self) -> tuple[Choice, ...]:
        return self._choices

    def choices_steps(self) -> Steps[tuple[Choice, ...]]:
        yield
        return self._choices
