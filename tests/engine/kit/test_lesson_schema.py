"""Lessons in TOML: what they make, and every fault that is told of them."""

from __future__ import annotations

import pytest

from engine.core.content.content_files import ContentFault, read
from engine.core.content.content_schema import Entry
from engine.core.rules.errors import ContentRefused
from engine.core.rules.lessons import LessonSeat
from engine.kit.lesson_schema import LessonEntry, lesson_faults, plan_of
from protocol.ids import NodeId
from protocol.scene.nodes import Reply
from protocol.text import Text
from protocol.wire.lessons import LessonEnd, LessonStep

LESSON = """
[lesson]
id = "first"
name = "lesson.first"
about = "lesson.first.about"
scenario = "small"

[[lesson.seat]]
faction = "red"

[[lesson.seat]]
faction = "blue"
bot = "level1"
act = [{ choice = "move", fields = { to = [100, 200] } }]

[[lesson.step]]
id = "move"
text = "lesson.first.move"
picked = "lesson.first.move.picked"
offer = "move"
choice = "move"
subject = "own"
at = [2.5, 3]
ends = { choice = "move" }

[[lesson.step]]
id = "look"
text = "lesson.first.look"
offer = "wait"
part = "log"
"""


class Document(Entry):
    """File with a lesson."""

    lesson: LessonEntry


def faults(toml: str, scenarios: frozenset[str] = frozenset({"small"})) -> list[str]:
    def complaints(documents: dict[str, Document], unread: object) -> list[tuple[str, ContentFault]]:
        factions = frozenset({"red", "blue"})
        return [(f, fault) for f, one in documents.items() for fault in lesson_faults(one.lesson, scenarios, factions)]

    try:
        read({"lesson.toml": toml}, Document, complaints)  # type: ignore[arg-type]
    except ContentRefused as refused:
        return list(refused.problems)
    return []


def test_a_lesson_is_read_with_its_seats_and_steps() -> None:
    _, documents = read({"lesson.toml": LESSON}, Document, lambda documents, unread: ())
    plan = plan_of(documents["lesson.toml"].lesson)
    assert plan.seats == (LessonSeat("red"), LessonSeat("blue", "", "level1", (Reply("move", {"to": [100, 200]}),)))
    assert plan.lesson.minutes == 10
    assert plan.lesson.steps == (
        LessonStep(
            "move",
            Text("lesson.first.move"),
            Text("lesson.first.move.picked"),
            offer="move",
            choice="move",
            subject=NodeId("own"),
            at=(250, 300),
            ends=LessonEnd(choice="move"),
        ),
        LessonStep("look", Text("lesson.first.look"), offer="wait", part="log"),
    )
    assert faults(LESSON) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('scenario = "small"', 'scenario = "large"', "lesson.toml:6: lesson.scenario: large is none of small"),
        ('faction = "red"', 'faction = "pink"', "lesson.toml:9: lesson.seat.0.faction: pink is none of blue, red"),
        ('bot = "level1"\n', "", "the first seat is the learner's, all others have a bot"),
        ('id = "look"', 'id = "move"', "lesson.toml:27: lesson.step.1.id: the id move is used twice"),
        ('part = "log"', 'part = "attic"', "attic is none of board, dice, log, prompt, row, seats"),
        ('ends = { choice = "move" }', 'ends = { choice = "move", cue = "dice" }', "a choice, a cue or a prompt"),
        ('part = "log"', 'subject = "own"', "lesson.step.1.choice: what is pointed at belongs to a choice"),
        ('offer = "wait"', 'offers = "wait"', "lesson.step.1.offers: no such key is known here"),
    ],
)
def test_each_fault_is_told_with_its_place(old: str, new: str, told: str) -> None:
    assert old in LESSON
    (found,) = faults(LESSON.replace(old, new, 1))
    assert told in found


def test_a_scenario_in_one_of_its_forms_may_be_named() -> None:
    assert faults(LESSON.replace('"small"', '"small:2"')) == []
