"""Checks of lessons against the rule system as it is installed: its seats, verbs, bots and army lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.core.rules.army_lists import lists_of
from engine.core.rules.errors import ListRefused, SetupRefused
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import all_values
from engine.core.rules.system import ScenarioInfo, System
from protocol import near_names
from protocol.wire.lessons import WAIT

WINDOWS: Final = ("choice", "sealed", "vote")
"""Windows of questions, which a step may be offered by."""
ANSWERS: Final = ("pick", "yes", "no")
"""Choices that questions of every system have."""


def lesson_faults(
    system: System[Any], content: object, plan: LessonPlan, scenarios: Mapping[str, ScenarioInfo]
) -> Iterator[str]:
    """Yield what is wrong with a lesson: a scenario or bot that there is not, seats too many or few, a list that cannot
    be brought, choices that no prompt offers."""
    lesson = plan.lesson
    here = f"lesson {lesson.id}"
    scenario = scenarios.get(lesson.scenario)
    try:
        all_values(system.options, plan.options)
    except SetupRefused as refused:
        yield f"{here}: options: {refused}"
    if scenario is None:
        yield f"{here}: there is no scenario {lesson.scenario}{near_names.meant(lesson.scenario, scenarios)}"
        return
    if len(plan.seats) != scenario.seats:
        yield f"{here}: {len(plan.seats)} seats; scenario {lesson.scenario} has {scenario.seats}"
    lists = lists_of(system)
    for number, seat in enumerate(plan.seats):
        if seat.bot and seat.bot not in system.bots:
            yield f"{here}: seat {number}: there is no bot {seat.bot}{near_names.meant(seat.bot, system.bots)}"
        if scenario.points and lists is not None:
            try:
                points = lists.read(content, seat.army).points
            except ListRefused as refused:
                yield f"{here}: seat {number}: its list cannot be played: {refused}"
            else:
                if points > (most := scenario.points_of(number)):
                    yield f"{here}: seat {number}: {points} points; scenario {lesson.scenario} has {most}"
    named = [(step.id, word) for step in lesson.steps for word in (step.offer, step.unless, step.choice)]
    named += [(step.id, word) for step in lesson.steps for word in (step.ends.choice, step.ends.prompt)]
    named += [(f"seat {number}", act.choice) for number, seat in enumerate(plan.seats) for act in seat.acts]
    for where, word in dict.fromkeys(named):
        if word and word not in (WAIT, *WINDOWS, *ANSWERS) and not system.has_verb(word):
            yield f"{here}: {where}: there is no choice {word}"
