"""Seats before the start that are kept, locked and exchanged, and those of a match that are taken over: functions from
one record to the next."""

from __future__ import annotations

from msgspec.structs import replace

from server.lobby.table.seat_changes import may_hold, name_at, not_kept_for, without_wishes
from server.lobby.table.table_record import LIVE, SeatRecord, TableRecord, must_be_open, must_own
from server.runtime.refusals import Refused


def open_seat(table: TableRecord, owner: str, number: int) -> TableRecord:
    """Let anybody take a free seat, as the owner asks."""
    return table.with_seat(_free_seat(table, owner, number), SeatRecord())


def lock_seat(table: TableRecord, owner: str, number: int) -> TableRecord:
    """Let nobody take a free seat, as the owner asks."""
    return table.with_seat(_free_seat(table, owner, number), SeatRecord(locked=True))


def keep_seat(table: TableRecord, owner: str, number: int, who: str, name: str, name_length: int) -> TableRecord:
    """Keep a free seat for this person, as the owner asks; who was removed may come again, unless a moderator did
    it."""
    _free_seat(table, owner, number)
    if who in table.removed:
        raise Refused("seat/removed", name=name)
    if table.seat_of(who) >= 0:
        raise Refused("seat/seated", name=name)
    table = not_kept_for(table, who)
    kept = SeatRecord(name=name_at(table, number, name, name_length), kept_for=who)
    return replace(table.with_seat(number, kept), banned=tuple(one for one in table.banned if one != who))


def swap_seats(table: TableRecord, who: str, number: int, other: int | None) -> TableRecord:
    """Change places: the owner exchanges any two seats; a person goes to an open seat at once, and to that of another
    person when both wish it. Their own seat takes the wish back."""
    must_be_open(table)
    _check_number(table, number)
    if other is not None:
        must_own(table, who)
        _check_number(table, other)
        return _exchanged(table, number, other)
    mine = table.seat_of(who)
    if mine < 0:
        raise Refused("match/no-seat")
    target = table.seats[number]
    if number == mine:
        return without_wishes(table, mine)
    if target.free and not target.is_open_to(who):
        raise Refused("table/kept")
    if target.bot:
        must_own(table, who)
    if not target.who or target.swap_with == mine:
        return _exchanged(table, mine, number)
    return table.with_seat(mine, replace(table.seats[mine], swap_with=number))


def take_over(table: TableRecord, number: int, who: str, name: str, name_length: int) -> TableRecord:
    """Seat a person in a live match in place of whoever holds this seat, who agrees; whoever has looked further into
    the match than is public may not."""
    if table.state != LIVE:
        raise Refused("vote/no-match")
    _check_number(table, number)
    if who in table.shut_out:
        raise Refused("table/removed")
    if table.seat_of(who) >= 0:
        raise Refused("seat/seated", name=name)
    if who in table.looked:
        raise Refused("seat/has-looked", name=name)
    if not may_hold(table, number, who):
        raise Refused("seat/knows", name=name)
    seat = table.seats[number]
    unique = name_at(table, number, name, name_length)
    return table.with_seat(number, SeatRecord(who, unique, seat.faction, ready=True, former=seat.who or seat.former))


def _free_seat(table: TableRecord, owner: str, number: int) -> int:
    must_own(table, owner)
    must_be_open(table)
    _check_number(table, number)
    if not table.seats[number].free:
        raise Refused("table/seat-taken")
    return number


def _check_number(table: TableRecord, number: int) -> None:
    if number >= len(table.seats):
        raise Refused("table/no-seat")


def _exchanged(table: TableRecord, one: int, other: int) -> TableRecord:
    """Return the table with two seats in each other's place, whose people are asked again if they are ready."""
    first, second = table.seats[one], table.seats[other]
    table = table.with_seat(one, _not_ready(second)).with_seat(other, _not_ready(first))
    return without_wishes(table, one, other)


def _not_ready(seat: SeatRecord) -> SeatRecord:
    return replace(seat, ready=bool(seat.bot), delayed_view=False)
