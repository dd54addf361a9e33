"""The time at which a vote is decided, and the people whose votes count."""

import pytest

from protocol.ids import TableId
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.lobby.table.votes import ADJOURN, BOT, END, PAUSE, RESUME, VoteRecord, outcome, voters


def table(*seats: SeatRecord) -> TableRecord:
    return TableRecord(TableId("t"), "CODE", "Table", "duel", "three", "ann", seats, 0, 0, state="live")


ANN, BEN, CLEO = SeatRecord("ann"), SeatRecord("ben"), SeatRecord("cleo")
AWAY = SeatRecord("dov", bot="hard")
BOT_SEAT = SeatRecord(bot="hard")


@pytest.mark.parametrize(
    ("what", "asked", "ballots", "now", "at_the_end"),
    [
        (PAUSE, 1, {0: True}, True, True),
        (PAUSE, 2, {0: True}, None, True),
        (PAUSE, 2, {0: True, 1: False}, False, False),
        (PAUSE, 3, {0: True, 1: True}, True, True),
        (PAUSE, 3, {0: True}, None, True),
        (PAUSE, 4, {0: True, 1: False}, None, False),
        (ADJOURN, 4, {0: True, 1: True, 2: False}, None, True),
        (BOT, 3, {}, None, False),
        (END, 3, {0: True}, None, False),
        (END, 3, {0: True, 1: True}, True, True),
        (RESUME, 2, {0: True}, True, True),
        (RESUME, 2, {0: False, 1: True}, True, True),
        (RESUME, 4, {0: True}, None, True),
        (RESUME, 4, {0: False, 1: False, 2: False}, False, False),
        (RESUME, 3, {0: False}, None, False),
    ],
)
def test_a_vote_is_decided_by_the_majority_as_soon_as_it_can_be(
    what: str, asked: int, ballots: dict[int, bool], now: bool | None, at_the_end: bool
) -> None:
    assert outcome(what, range(asked), ballots, is_over=False) is now
    assert outcome(what, range(asked), ballots, is_over=True) is at_the_end


def test_those_who_are_here_are_asked_and_not_the_one_it_is_about() -> None:
    seats = table(ANN, BEN, AWAY, BOT_SEAT, CLEO)
    assert voters(seats, VoteRecord(PAUSE), {"ann", "cleo"}, parked=False) == (0, 4)
    assert voters(seats, VoteRecord(BOT, 1), {"ann", "ben", "cleo"}, parked=False) == (0, 4)
    assert voters(seats, VoteRecord(PAUSE, by=1, ballots={1: True}), {"ann"}, parked=False) == (0, 1)


def test_nobody_who_is_left_alone_ends_the_match_for_all_unless_it_cannot_go_on() -> None:
    seats = table(ANN, BEN, AWAY, BOT_SEAT, CLEO)
    assert voters(seats, VoteRecord(END), {"ann"}, parked=False) == (0, 1, 4)
    assert voters(seats, VoteRecord(END), {"ann"}, parked=True) == (0,)
