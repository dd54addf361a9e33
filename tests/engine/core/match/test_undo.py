"""Undo: the acts that can be taken back, by which seat, and the reasons against it."""

from __future__ import annotations

import pytest

from engine.core.match.causes import Answered, AnyCause, Conceded, Expiry, Intended, RoundOpened
from engine.core.match.undo import UndoPoint, UndoStack, barrier_of
from engine.core.rules.events import CoreEvent, DiceRolled, Event, GivenAnswer, QuestionClosed, RoundBegun
from engine.core.rules.record import Record
from protocol.scene.nodes import Reply
from tests.support.systems.haggle import HAGGLE, Market, Won

ID = bytes(16)
FIRST, SECOND = (UndoPoint(version, HAGGLE.start(b"", 3), Record(questions=version)) for version in (3, 4))
MINE = Intended(1, ID, b"")


def test_nobody_has_anything_to_take_back_at_first() -> None:
    assert UndoStack[Market]().refusal(0) == "nothing"


def test_acts_of_one_seat_are_taken_back_one_by_one() -> None:
    stack = UndoStack[Market]().after(FIRST, 1, "").after(SECOND, 1, "")
    assert stack.points == (FIRST, SECOND)
    assert stack.refusal(1) == ""
    assert stack.refusal(0) == "another-acted"
    stack = stack.pop()
    assert stack.points == (FIRST,)
    assert stack.refusal(1) == ""
    assert stack.pop().refusal(1) == "nothing"


def test_another_seats_act_leaves_only_its_own() -> None:
    stack = UndoStack[Market]().after(FIRST, 1, "").after(SECOND, 0, "")
    assert stack.points == (SECOND,)
    assert (stack.refusal(0), stack.refusal(1)) == ("", "another-acted")


def test_a_barrier_ends_what_can_be_taken_back_and_says_why() -> None:
    stack = UndoStack[Market]().after(FIRST, 1, "").after(SECOND, 1, "dice")
    assert stack.points == ()
    assert (stack.refusal(0), stack.refusal(1)) == ("dice", "dice")
    assert stack.after(SECOND, 1, "").pop().refusal(1) == "nothing"


@pytest.mark.parametrize(
    ("cause", "entries", "barrier"),
    [
        (MINE, [Won(1, 1)], ""),
        (MINE, [Won(1, 1), DiceRolled(1, 0, "dice", 1, 6, (3,))], "dice"),
        (RoundOpened(), [RoundBegun(1)], "dice"),
        (RoundOpened(), [], ""),
        (Answered(1, ID, 0, Reply("yes")), [QuestionClosed(0, (GivenAnswer(1, Reply("yes")),))], ""),
        (Answered(1, ID, 0, Reply("yes")), [QuestionClosed(0, (GivenAnswer(2, Reply("yes")),))], "another-acted"),
        (
            Answered(1, ID, 0, Reply("yes")),
            [QuestionClosed(0, (GivenAnswer(1, Reply("yes"), by_default=True),))],
            "another-acted",
        ),
        (Answered(0, ID, 0, Reply("yes")), [], "another-acted"),
        (Intended(0, ID, b""), [], "another-acted"),
        (Expiry(question=0), [QuestionClosed(0, (GivenAnswer(1, Reply("yes")),))], "expired"),
        (Expiry(seat=1), [], "expired"),
        (Conceded(1), [], "another-acted"),
    ],
)
def test_the_first_reason_against_a_step_is_told(
    cause: AnyCause, entries: list[Event[Market] | CoreEvent], barrier: str
) -> None:
    assert barrier_of(1, cause, entries) == barrier
