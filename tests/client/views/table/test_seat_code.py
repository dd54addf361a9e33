"""The seat code in the menu of the table: the time that it has left, and its end."""

from __future__ import annotations

import pytest
from arcade import key as keys

from protocol.text import Text
from protocol.wire.from_client import GetSeatCode
from protocol.wire.from_server import Left, Problem, SeatCode
from tests.support.clients.sessions import Table
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

TABLE = scenes.table_view().id
COPY, ASK = "Copy seat code ABCDE23456", "Play on another device"


@pytest.fixture
def with_code(table: Table, hand: Hand) -> Table:
    """Table whose open menu shows a seat code."""
    hand.press(keys.F10)
    hand.click_on(ASK)
    table.say(SeatCode(TABLE, "ABCDE23456", 600))
    return table


def words(table: Table) -> str:
    """Return the line about the code."""
    table.app.build()
    lines = [key.text for key, _, _ in table.app.ui.layers["popup"].letters.lines]
    return next((line for line in lines if line.startswith("Seat code")), "")


def test_the_minutes_left_are_counted_down(with_code: Table) -> None:
    assert words(with_code) == "Seat code, once, 10 minutes: ABCDE23456"
    with_code.time += 121
    with_code.settle()
    assert words(with_code) == "Seat code, once, 8 minutes: ABCDE23456"
    with_code.time += 420
    with_code.settle()
    assert words(with_code) == "Seat code, once, 1 minute: ABCDE23456"


def test_another_code_can_be_asked_for_once_the_first_is_over(with_code: Table, hand: Hand) -> None:
    with_code.time += 600
    with_code.settle()
    assert COPY not in with_code.app.labels()
    with_code.said.clear()
    hand.click_on(ASK)
    assert with_code.last(GetSeatCode) == GetSeatCode()
    with_code.say(SeatCode(TABLE, "FGHJK78923", 600))
    assert words(with_code) == "Seat code, once, 10 minutes: FGHJK78923"


def test_a_code_that_another_device_has_used_is_forgotten_as_one_comes_back(with_code: Table) -> None:
    with_code.say(Problem("session/moved", Text("Elsewhere."), fatal=True))
    with_code.session.reconnect()
    with_code.hear(*scenes.table_frames())
    assert COPY not in with_code.app.labels()
    assert ASK in with_code.app.enabled()


def test_a_code_goes_with_the_seat(with_code: Table) -> None:
    with_code.say(Left(TABLE, "left", Text("Gone.")))
    with_code.hear(*scenes.table_frames())
    assert with_code.session.seat_code.told is None


def test_a_code_outlives_a_lost_link(with_code: Table) -> None:
    with_code.break_and_mend()
    with_code.hear(*scenes.table_frames())
    assert COPY in with_code.app.enabled()
