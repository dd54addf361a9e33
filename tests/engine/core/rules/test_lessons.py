"""Lessons of a system without any, and the seats of a plan."""

from __future__ import annotations

from engine.core.rules.lessons import LessonPlan, LessonSeat
from protocol.text import Text
from protocol.wire.lessons import Lesson
from tests.support.systems.duel import Duel


def test_a_system_has_no_lessons_unless_it_says_so() -> None:
    assert Duel().lessons(None) == ()


def test_the_seat_of_a_learner_has_neither_bot_nor_acts() -> None:
    lesson = Lesson("one", Text("name"), Text("about"), "two", 5, ())
    learner, other = LessonPlan(lesson, (LessonSeat("red"), LessonSeat("blue", bot="level1"))).seats
    assert (learner.bot, learner.acts, other.bot) == ("", (), "level1")
