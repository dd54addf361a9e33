"""Lessons of a session: begun with their table, remembered in the profile, left and taken up again."""

from __future__ import annotations

from msgspec.structs import replace

from client.model.lessons import SessionLessons, first_lesson
from client.storage.profile import UserProfile
from protocol.ids import PromptId, TableId
from protocol.scene.nodes import Choice, Cue, Prompt
from protocol.text import Text
from protocol.wire.choices import SystemChoice
from protocol.wire.from_server import TableView
from protocol.wire.lessons import Lesson, LessonEnd, LessonStep

NAME = Text("name")
STEPS = (
    LessonStep("move", NAME, offer="move", ends=LessonEnd(choice="move")),
    LessonStep("dice", NAME, offer="wait", ends=LessonEnd(cue="dice")),
)
LESSON = Lesson("first", NAME, NAME, "small", 10, STEPS)
SYSTEMS = (SystemChoice("plain", NAME, (), ()), SystemChoice("cards", NAME, (), (), lessons=(LESSON,)))
TABLE = TableView(TableId("t1"), "Table", "cards", "small", "live", 0, "me", (), lesson="first")
PROMPT = Prompt(PromptId("p"), NAME, (Choice("move", NAME),))


class Kept(UserProfile):
    """Profile that counts how often it is written."""

    written: int = 0

    def keep(self) -> bool:
        self.written += 1
        return True


def test_a_lesson_is_followed_and_its_steps_are_remembered_once_each() -> None:
    profile = Kept()
    lessons = SessionLessons(profile, profile.keep)
    lessons.sit(TABLE, SYSTEMS)
    lessons.look(PROMPT)
    assert lessons.present is not None
    lessons.chose("move")
    lessons.look(PROMPT)
    assert profile.lessons == {"t1": ["move"]}
    assert profile.written == 1
    lessons.look(None)
    lessons.told([Cue("dice", NAME)])
    assert profile.taught == ["cards/first"]
    assert lessons.is_taught("cards", "first")


def test_another_program_goes_on_where_this_one_stopped() -> None:
    profile = Kept()
    profile.lessons["t1"] = ["move"]
    lessons = SessionLessons(profile, profile.keep)
    lessons.sit(TABLE, SYSTEMS)
    assert lessons.run is not None
    assert lessons.run.ended == ["move"]


def test_a_lesson_is_left_and_taken_up_again() -> None:
    profile = Kept()
    lessons = SessionLessons(profile, profile.keep)
    lessons.sit(TABLE, SYSTEMS)
    lessons.leave()
    assert lessons.present is None
    assert profile.taught == ["cards/first"]
    lessons.take_up()
    assert lessons.present is lessons.run is not None


def test_a_match_that_is_over_has_been_a_lesson_and_other_tables_are_none() -> None:
    profile = Kept()
    lessons = SessionLessons(profile, profile.keep)
    lessons.sit(TABLE, SYSTEMS)
    for _ in range(3):
        lessons.sit(replace(TABLE, state="finished"), SYSTEMS)
        lessons.finish()
    assert profile.taught == ["cards/first"]
    assert profile.written == 1
    for other in (replace(TABLE, id=TableId("t2"), lesson=""), replace(TABLE, id=TableId("t3"), seat=-1)):
        lessons.sit(other, SYSTEMS)
        assert lessons.run is None
        lessons.chose("move")
        lessons.refused()


def test_the_first_lesson_is_that_of_the_first_game_which_has_one() -> None:
    assert first_lesson(SYSTEMS) == (SYSTEMS[1], LESSON)
    assert first_lesson(SYSTEMS[:1]) is None
