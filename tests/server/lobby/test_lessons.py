"""Tables of lessons: the line-up is seated at once, the bots try the lesson's acts, and no clock runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.core.rules.lessons import LessonPlan, LessonSeat
from protocol.scene.nodes import Reply
from protocol.text import Text
from protocol.wire import from_client as say
from protocol.wire.lessons import Lesson, LessonEnd, LessonStep
from server.content.lesson_checks import lesson_faults
from server.content.systems import Installed
from tests.support.clients.wire import Client, running
from tests.support.systems.installed import shipped_systems


def shipped() -> dict[str, Installed]:
    return shipped_systems()


async def learner(client: Client, system: str, plan: LessonPlan) -> None:
    """Begin a lesson as the client does."""
    lesson = plan.lesson
    await client.say(
        say.CreateTable(system=system, scenario=lesson.scenario, name="Lesson", private=True, lesson=lesson.id)
    )
    await client.until(lambda: client.talk.table is not None)
    await client.say(say.SetReady(ready=True))
    await client.say(say.StartMatch())
    await client.until(lambda: client.talk.table is not None and client.talk.table.state == "live")


@pytest.mark.parametrize("system", ["action_cards", "one_page", "apocalypse_earth"])
async def test_a_lesson_is_begun_with_its_line_up_and_without_a_clock(tmp_path: Path, system: str) -> None:
    installed = shipped()
    (plan,) = installed[system].lessons.values()
    async with running(tmp_path, systems=installed) as run:
        ann = await run.client("Ann")
        assert ann.talk.systems is not None
        assert plan.lesson in next(s for s in ann.talk.systems.systems if s.id == system).lessons
        await learner(ann, system, plan)
        table = ann.talk.table
        assert table is not None
        assert (table.lesson, table.seat, table.mail) == (plan.lesson.id, 0, True)
        await ann.say(say.ListTables())
        await ann.until(lambda: ann.talk.lobby is not None and bool(ann.talk.lobby.tables))
        assert ann.talk.lobby is not None
        (row,) = [row for row in ann.talk.lobby.tables if row.id == table.id]
        assert (row.lesson, row.mail) == (True, False)
        assert [(seat.faction, seat.bot) for seat in table.seats] == [(seat.faction, seat.bot) for seat in plan.seats]


async def test_the_other_side_of_the_first_patrol_leaves_its_start_zone(tmp_path: Path) -> None:
    """Its acts are carried out as they are written."""
    installed = shipped()
    (plan,) = installed["action_cards"].lessons.values()
    moves: list[Any] = [act.fields for act in plan.seats[1].acts if act.choice == "move"]
    wanted = {lead: tuple(fields["to"]) for fields in moves for lead in fields["lead"]}
    async with running(tmp_path, systems=installed) as run:
        ann = await run.client("Ann")
        await learner(ann, "action_cards", plan)

        def is_out() -> bool:
            if ann.talk.scene is None:
                return False
            return {lead: getattr(ann.scene.nodes[lead], "at", ()) for lead in wanted} == wanted

        for _ in range(6):
            await ann.until(lambda: ann.offers("end") or is_out())
            if is_out():
                break
            assert await ann.intend("end") == ""
        assert is_out()


async def test_an_unknown_lesson_or_one_of_another_scenario_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path, systems=shipped()) as run:
        ann = await run.client("Ann")
        for scenario, lesson in (("first_patrol", "second_patrol"), ("harrow_cross", "first_patrol")):
            await ann.say(say.CreateTable(system="action_cards", scenario=scenario, name="Lesson", lesson=lesson))
            assert await ann.problem() == "table/unknown-lesson"


def with_step(plan: LessonPlan, **changes: object) -> LessonPlan:
    step = LessonStep("own", Text("words"), **changes)  # type: ignore[arg-type]
    return plan._replace(lesson=Lesson("one", Text("n"), Text("a"), plan.lesson.scenario, 5, (step,)))


def test_a_lesson_that_the_rules_cannot_hold_is_told() -> None:
    for installed in shipped().values():
        (plan,) = installed.lessons.values()

        def told(plan: LessonPlan, installed: Installed = installed) -> list[str]:
            return list(lesson_faults(installed.system, installed.content, plan, installed.scenarios))

        assert told(plan) == []
        assert told(with_step(plan, offer="dance")) == ["lesson one: own: there is no choice dance"]
        assert told(with_step(plan, ends=LessonEnd(choice="dance"))) == ["lesson one: own: there is no choice dance"]
        assert told(with_step(plan, offer="wait", unless="vote")) == []
        one_more = (*plan.seats, LessonSeat(plan.seats[0].faction, plan.seats[0].army, "nobody", (Reply("dance"),)))
        assert [fault.partition(": ")[2] for fault in told(plan._replace(seats=one_more))] == [
            f"3 seats; scenario {plan.lesson.scenario} has 2",
            "seat 2: there is no bot nobody",
            "seat 2: there is no choice dance",
        ]
        (fault,) = told(plan._replace(options={"gravity": True}))
        assert fault.startswith(f"lesson {plan.lesson.id}: options: ")
        nowhere = plan._replace(lesson=Lesson("one", Text("n"), Text("a"), "nowhere", 5, ()))
        assert told(nowhere) == ["lesson one: there is no scenario nowhere"]


def test_a_list_that_cannot_be_brought_is_told() -> None:
    installed = shipped()["one_page"]
    (plan,) = installed.lessons.values()
    first, second = plan.seats
    (fault,) = lesson_faults(
        installed.system,
        installed.content,
        plan._replace(
            seats=(first, second._replace(army="IM1-")),
        ),
        installed.scenarios,
    )
    assert "seat 1: its list cannot be played" in fault
    small = {id: info._replace(points=400) for id, info in installed.scenarios.items()}
    (fault,) = lesson_faults(installed.system, installed.content, plan, small)
    assert "seat 0: 420 points; scenario first_clash has 400" in fault
    assert replace(installed, lessons={}).choice().lessons == ()
