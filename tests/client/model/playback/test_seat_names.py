"""Names of seats in a replay: those beside the file, else their numbers."""

from __future__ import annotations

from msgspec.structs import replace

from client.model.replay.replay_player import ReplayPlayer, seat_names
from tests.support.examples.replays import replay


def test_seats_of_a_file_without_names_are_called_by_their_numbers() -> None:
    known = replay()
    seats = known.header.seats
    nameless = (replace(seats[0], name=""), replace(seats[1], name="", bot="level1"), *seats[2:])
    without = known._replace(header=replace(known.header, seats=nameless, table=""))
    assert [seat_names(without)[seat] for seat in (0, 1, 2)] == ["Seat 1", "Seat 2", "Player 2"]
    assert [ReplayPlayer(without).names()[seat] for seat in (0, 1, 2)] == ["Seat 1", "Seat 2 (bot)", "Player 2"]
    assert ReplayPlayer(without).title()
