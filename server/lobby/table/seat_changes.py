"""Seats of a table that are taken, given up and played by bots: functions from one record to the next."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from server.accounts.display_names import BOT_NAME, unique_name
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, SeatRecord, TableRecord, must_be_open, must_own
from server.runtime.refusals import Refused


def join(table: TableRecord, who: str, name: str, name_length: int, wanted: int | None = None) -> TableRecord:
    """Take a seat: before the start the one that is `wanted`, else one that is kept for this person, else the first
    that is open; in a live match that lets late people in a bot's. Unchanged where one is held already."""
    if who in table.shut_out:
        raise Refused("table/removed")
    if table.closed:
        raise Refused("table/closed")
    if table.seat_of(who) >= 0:
        return table
    if who in table.looked:
        raise Refused("table/has-looked")
    if table.state == LIVE and table.late:
        return take_bots_seat(table, who, name, wanted, name_length)
    must_be_open(table)
    offered = [number for number, seat in enumerate(table.seats) if seat.is_open_to(who)]
    if not any(seat.free for seat in table.seats):
        raise Refused("table/full")
    if not offered:
        raise Refused("table/kept")
    if wanted is not None and wanted not in offered:
        raise Refused("table/seat-gone")
    kept = [number for number in offered if table.seats[number].kept_for == who]
    number = (kept or offered)[0] if wanted is None else wanted
    table = not_kept_for(table, who)
    unique = name_at(table, number, name, name_length)
    seated = table.with_seat(number, replace(table.seats[number], who=who, name=unique))
    # the last seat is taken: the code has done its work
    return seated if any(seat.free for seat in seated.seats) else replace(seated, code_ends=0)


def not_kept_for(table: TableRecord, who: str) -> TableRecord:
    """Keep no seat for this person any more."""
    if who not in table.kept_for:
        return table
    seats = tuple(replace(seat, kept_for="", name="") if seat.kept_for == who else seat for seat in table.seats)
    return replace(table, seats=seats)


def name_at(table: TableRecord, number: int, name: str, name_length: int) -> str:
    """Return a person's name as they bear it in this seat: another one than those of all other seats."""
    others = [seat.name for n, seat in enumerate(table.seats) if n != number]
    return unique_name(name, others, name_length)


def rename(table: TableRecord, who: str, name: str, name_length: int) -> TableRecord:
    """Give the seat of a person their new name."""
    number = table.seat_of(who)
    if number < 0:
        return table
    unique = name_at(table, number, name, name_length)
    return table.with_seat(number, replace(table.seats[number], name=unique))


def take_bots_seat(table: TableRecord, who: str, name: str, wanted: int | None, name_length: int) -> TableRecord:
    """Seat a person in a live match in place of a bot. Whoever has given a seat up knows its secrets, and may take that
    one only."""
    bots = [number for number, seat in enumerate(table.seats) if seat.bot and not seat.who and not seat.leaving]
    offered = [number for number in bots if may_hold(table, number, who)]
    if not offered or (wanted is not None and wanted not in offered):
        raise Refused("table/no-bot-seat")
    number = offered[0] if wanted is None else wanted
    unique = name_at(table, number, name, name_length)
    return table.with_seat(number, SeatRecord(who, unique, table.seats[number].faction, ready=True))


def may_hold(table: TableRecord, number: int, who: str) -> bool:
    """Return True where this person may have this seat of a match: whoever has held a seat may come back to that one
    only, since they know its secrets."""
    was_theirs = table.seats[number].former == who or table.line_up[number : number + 1] == (who,)
    return who not in table.sat or was_theirs


def stand_in(table: TableRecord, number: int, substitute: str, seed: int) -> TableRecord:
    """Let a bot play for a person who is away; the seat stays theirs."""
    return table.with_seat(number, replace(table.seats[number], bot=substitute, seed=seed))


def give_back(table: TableRecord, number: int) -> TableRecord:
    """Let a person who is here again play themselves."""
    return table.with_seat(number, replace(table.seats[number], bot="", seed=0))


def leave(table: TableRecord, who: str, substitute: str, seed: int) -> TableRecord:
    """Give a seat up: it becomes free, or in a live match goes to a bot of kind `substitute`. Ownership passes on."""
    number = table.seat_of(who)
    if number < 0:
        return table
    return pass_ownership(vacate(table, number, substitute, seed))


def move_seat(table: TableRecord, old: str, new: str, name: str) -> TableRecord:
    """Move the seat of one person to another, of this name, or to the same one on another device, with the table if
    they own it. In a match the former device may have it back."""
    number = table.seat_of(old)
    if number < 0 or old == new:
        raise Refused("seat-code/unknown")
    if new in table.shut_out:
        raise Refused("table/removed")
    if table.seat_of(new) >= 0:
        raise Refused("seat-code/seated")
    if new in table.looked:
        raise Refused("table/has-looked")
    if not may_hold(table, number, new):
        raise Refused("seat/knows", name=name)
    seat = table.seats[number]
    former = seat.former if table.state == OPEN else old
    # another person has not agreed to anything yet
    moved = table.with_seat(number, replace(seat, who=new, delayed_view=False, former=former))
    return replace(moved, owner=new) if table.owner == old else moved


def vacate(table: TableRecord, number: int, substitute: str, seed: int) -> TableRecord:
    """Take a seat from whoever holds it."""
    if table.state == FINISHED:
        raise Refused("table/finished")
    seat = table.seats[number]
    if table.vote is not None:
        ballots = {voter: ballot for voter, ballot in table.vote.ballots.items() if voter != number}
        table = replace(table, vote=replace(table.vote, ballots=ballots))
    if table.state == OPEN:
        return without_wishes(table.with_seat(number, SeatRecord()), number)
    return table.with_seat(
        number, SeatRecord("", seat.name, seat.faction, ready=True, bot=substitute, seed=seed, former=seat.who)
    )


def without_wishes(table: TableRecord, *numbers: int) -> TableRecord:
    """Let nobody wish for these seats in exchange, nor their people for others."""
    seats = (
        replace(seat, swap_with=-1) if number in numbers or seat.swap_with in numbers else seat
        for number, seat in enumerate(table.seats)
    )
    return replace(table, seats=tuple(seats))


def pass_ownership(table: TableRecord) -> TableRecord:
    """Transfer ownership, where the owner has gone, to the next person in seat order, or to nobody."""
    if table.owner in table.people:
        return table
    return replace(table, owner=next(iter(table.people), ""))


def add_bot(
    table: TableRecord, who: str, number: int | None, kind: str, kinds: Sequence[str], seed: int, name_length: int
) -> TableRecord:
    """Put a bot into a free seat."""
    must_be_open(table)
    must_own(table, who)
    if kind not in kinds:
        raise Refused("table/unknown-bot", kinds=", ".join(kinds))
    free = [n for n, seat in enumerate(table.seats) if seat.free]
    target = next((n for n in free if table.seats[n].open), None) if number is None else number
    if target is None:
        raise Refused("table/full")
    if target not in free:
        raise Refused("table/seat-taken")
    name = unique_name(BOT_NAME, [seat.name for seat in table.seats], name_length)
    return table.with_seat(target, SeatRecord("", name, ready=True, bot=kind, seed=seed))


def remove_seat(table: TableRecord, who: str, number: int, substitute: str, seed: int) -> TableRecord:
    """Take a seat from someone, as the owner asks."""
    must_own(table, who)
    if not 0 <= number < len(table.seats) or table.seats[number].free:
        raise Refused("table/no-seat")
    gone = table.seats[number].who
    if gone == who:
        raise Refused("table/leave-instead")
    if not gone and table.state != OPEN:
        raise Refused("table/started")
    return vacate(table, number, substitute, seed)
