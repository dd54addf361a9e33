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
MINE = Intended(1, ID, b"")


def act(version: int, seat: int, *entries: Event[Market] | CoreEvent) -> UndoPoint[Market]:
    """Return an act of a seat that began after a version, with its entries."""
    return UndoPoint(version, HAGGLE.start(b"", 3), Record(questions=version), seat, entries)


def is_apart(act: UndoPoint[Market]) -> bool:
    """Take the acts that are made with the states around them for those that are apart from others."""
    return act.around is not None


FIRST, SECOND = act(3, 1), act(4, 1)
OTHERS = act(4, 0)


def bought(stack: UndoStack[Market], seat: int, version: int, state: Market, barrier: str = "") -> UndoStack[Market]:
    """Let a seat win a coin, apart from the others, at this state."""
    won = Won(seat, 1)
    point = UndoPoint(version, state, Record(acts=version), seat, (won,), (state, won.apply(state)))
    return stack.after(point, barrier, is_apart)


def test_nobody_has_anything_to_take_back_at_first() -> None:
    assert UndoStack[Market]().refusal(0) == "nothing"
    with pytest.raises(LookupError, match="seat 0 has nothing"):
        UndoStack[Market]().newest(0)


def test_acts_of_one_seat_are_taken_back_one_by_one() -> None:
    stack = UndoStack[Market]().after(FIRST, "", is_apart).after(SECOND, "", is_apart)
    assert stack.points == (FIRST, SECOND)
    assert stack.refusal(1) == ""
    assert stack.refusal(0) == "another-acted"
    stack, state, record = stack.without(1)
    assert (stack.points, state, record) == ((FIRST,), SECOND.state, SECOND.record)
    assert stack.refusal(1) == ""
    assert stack.without(1)[0].refusal(1) == "nothing"


def test_another_seats_act_leaves_only_its_own() -> None:
    stack = UndoStack[Market]().after(FIRST, "", is_apart).after(OTHERS, "", is_apart)
    assert stack.points == (OTHERS,)
    assert (stack.refusal(0), stack.refusal(1)) == ("", "another-acted")


def test_a_barrier_ends_what_can_be_taken_back_and_says_why() -> None:
    stack = UndoStack[Market]().after(FIRST, "", is_apart).after(SECOND, "dice", is_apart)
    assert stack.points == ()
    assert (stack.refusal(0), stack.refusal(1)) == ("dice", "dice")
    assert stack.after(SECOND, "", is_apart).without(1)[0].refusal(1) == "nothing"


def test_apart_from_one_another_each_seat_takes_its_own_acts_back() -> None:
    first = HAGGLE.start(b"", 3)
    stack, state = UndoStack[Market](), first
    for version, seat in enumerate((0, 1, 0, 2)):
        stack = bought(stack, seat, version, state)
        state = Won(seat, 1).apply(state)
    assert [stack.depth(seat) for seat in range(3)] == [2, 1, 1]
    assert stack.newest(1).version == 1
    stack, state, record = stack.without(1)
    assert state.coins == (5, 3, 4)
    assert (stack.refusal(1), stack.refusal(0), record.acts) == ("another-acted", "", 1)
    for seat in (0, 2, 0):
        stack, state, _ = stack.without(seat)
    assert state == first
    assert (stack.points, stack.refusal(0)) == ((), "nothing")


def test_what_was_done_before_acts_went_apart_stands_once_another_acts() -> None:
    state = HAGGLE.start(b"", 3)
    stack = bought(UndoStack[Market]().after(FIRST, "", is_apart), 1, 5, state)
    assert stack.depth(1) == 2
    stack = bought(stack, 0, 6, state)
    assert [point.version for point in stack.points] == [5, 6]
    assert is_apart(stack.points[-1])
    stack = stack.after(act(7, 0), "", is_apart)
    assert [point.version for point in stack.points] == [7], "the act that ends the phase is apart no more"
    assert not is_apart(stack.points[-1])


def test_time_that_runs_out_for_one_leaves_the_acts_of_the_others() -> None:
    state = HAGGLE.start(b"", 3)
    stack = bought(bought(UndoStack[Market](), 0, 3, state), 1, 4, Won(0, 1).apply(state))
    stack = bought(stack, 1, 5, Won(1, 1).apply(Won(0, 1).apply(state)), "expired")
    assert [stack.depth(seat) for seat in range(2)] == [1, 0]
    stack, state, _ = stack.without(0)
    assert state.coins == (3, 5, 3)
    assert (stack.points, stack.barrier) == ((), "expired")
    assert bought(UndoStack[Market](), 0, 3, state, "dice").refusal(0) == "dice"


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
