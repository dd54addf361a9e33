"""What people do at tables before the start."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.seating import KeepSeat, SwapSeats
from server.lobby.table.table_record import LIVE
from tests.support.lobby_kills.ledger import Fitting
from tests.support.lobby_kills.notes import Notes, goes_on, same_but
from tests.support.lobby_kills.standing import Standing
from tests.support.lobby_kills.visitor import Visitor

DAY: Final = 24 * 3600


async def open_table(notes: Notes, person: Visitor) -> None:
    """Open a table."""
    scenario = notes.chance.choice(("two", "two", "three"))
    await notes.open(person, say.CreateTable(system="duel", scenario=scenario, name=notes.fresh("Table")))


async def sit_down(notes: Notes, person: Visitor, table: TableId) -> None:
    """Take a seat: one that is kept for them, else one that is free, else none."""
    before = notes.standing(table)
    kept = [n for n, seat in enumerate(before.seats) if seat.kept_for == person.who]
    offered = kept or before.free

    def fits(found: Standing) -> bool:
        return found.seat_of(person.who) in offered and same_but(before, found, *kept, found.seat_of(person.who))

    message = say.JoinTable(table=table, seat=notes.chance.choice([None, *offered]))
    if not await notes.change(person, message, {("table", table): Fitting(fits)}):
        await look(notes, person, table)


async def look(notes: Notes, person: Visitor, table: TableId) -> bool:
    """Go to a table, where it stands as it was told; return False where they may not see it any more."""
    if await person.go_to(table):
        return False
    told, found = notes.ledger.known["table", table], person.standing
    # the end of a match is written while nobody says anything
    is_right = goes_on(told, found) if isinstance(told, Standing) and told.state == LIVE else told == found
    assert is_right, f"{table} was told as {told}, and is shown as {found}"
    notes.ledger.known["table", table] = found
    return True


async def race(notes: Notes, one: Visitor, other: Visitor, table: TableId) -> None:
    """Have two people take one seat in the same instant: one has it, the other is told."""
    before = notes.standing(table)
    seat = notes.chance.choice(before.free)

    def fits(found: Standing) -> bool:
        return found.seats[seat].who in (one.who, other.who) and same_but(before, found, seat)

    begun = notes.ledger.begin({("table", table): Fitting(fits)})
    message = say.JoinTable(table=table, seat=seat)
    refused = await asyncio.gather(one.done(message), other.done(message))
    if ["table/removed"] in refused or ["table/unknown"] in refused:
        # whoever was removed may not come back: then it was no race
        notes.ledger.drop(begun)
    else:
        notes.ledger.end(begun)
        assert sorted(refused) in ([[], ["table/full"]], [[], ["table/seat-gone"]], [[], ["table/kept"]]), refused
    for person, codes in zip((one, other), refused, strict=True):
        if not codes:
            notes.ledger.known["table", table] = person.standing


async def stand_up(notes: Notes, person: Visitor, table: TableId) -> None:
    """Give a seat up before the start."""
    if not await look(notes, person, table):
        return
    before = notes.standing(table)
    number = before.seat_of(person.who)

    def fits(found: Standing | None) -> bool:
        if found is None:
            # the last one has gone
            return len(before.people) == 1
        return not found.seats[number].who and same_but(before, found, number, fields=["owner"])

    begun = notes.ledger.begin({("table", table): Fitting(fits)})
    await person.done(say.LeaveTable())
    notes.ledger.end(begun)


async def change_places(notes: Notes, person: Visitor, table: TableId) -> None:
    """Go to another seat, or wish to; the owner exchanges any two."""
    await look(notes, person, table)
    before = person.standing
    mine, number = before.seat_of(person.who), notes.chance.randrange(len(before.seats))
    if before.owner == person.who and notes.chance.random() < 0.5:
        other = notes.chance.randrange(len(before.seats))
        exchanged = {number: other, other: number}
        seats = [before.seats[exchanged.get(n, n)].who for n in range(len(before.seats))]

        def fits(found: Standing) -> bool:
            return [seat.who for seat in found.seats] == seats

        await notes.at_table(person, SwapSeats(seat=number, other=other), fits)
        return

    def fits_wish(found: Standing) -> bool:
        is_there = found.seat_of(person.who) == number
        return (is_there or found.seats[mine].swap_with == number) and same_but(before, found, mine, number)

    await notes.at_table(person, SwapSeats(seat=number), fits_wish)


async def keep_seat(notes: Notes, owner: Visitor, friend: Visitor, table: TableId) -> None:
    """Keep a seat for somebody, lock it, or let anybody have it."""
    await look(notes, owner, table)
    before = owner.standing
    number = notes.chance.randrange(len(before.seats))
    what = notes.chance.choice(("keep", "lock", "open"))
    who, locked = friend.who if what == "keep" else "", what == "lock"

    def fits(found: Standing) -> bool:
        seat = found.seats[number]
        others = [n for n, one in enumerate(before.seats) if who and one.kept_for == who]
        return (seat.kept_for, seat.locked) == (who, locked) and same_but(before, found, number, *others)

    await notes.at_table(owner, KeepSeat(seat=number, who=who or None, locked=locked), fits)


async def change_table(notes: Notes, person: Visitor, table: TableId) -> None:
    """Set a date far away or take it back, or let people in by invite alone or not."""
    await look(notes, person, table)
    before = person.standing
    begins = 0 if before.begins else int(time.time()) + notes.chance.randrange(2 * DAY, 9 * DAY)
    private = not before.private
    is_date = notes.chance.random() < 0.5
    wanted = before._replace(begins=begins) if is_date else before._replace(private=private)
    message = say.ChangeTable(begins=begins) if is_date else say.ChangeTable(private=private)
    await notes.at_table(person, message, lambda found: same_but(wanted, found))


async def be_ready(notes: Notes, person: Visitor, table: TableId) -> None:
    """Be ready, or not any more."""
    await look(notes, person, table)
    before = person.standing
    mine = before.seat_of(person.who)
    ready = not before.seats[mine].ready
    message = say.SetReady(ready=ready)
    await notes.at_table(
        person, message, lambda found: found.seats[mine].ready == ready and same_but(before, found, mine)
    )


async def bring_bot(notes: Notes, person: Visitor, table: TableId) -> None:
    """Put a bot into a free seat, or take one out."""
    await look(notes, person, table)
    before = person.standing
    bots = [n for n, seat in enumerate(before.seats) if seat.bot]
    if bots:
        number, bot = bots[0], ""
        message: say.Message = say.RemoveSeat(seat=number)
    else:
        number, bot = notes.chance.randrange(len(before.seats)), "random"
        message = say.AddBot(kind=bot, seat=number)
    await notes.at_table(
        person, message, lambda found: found.seats[number].bot == bot and same_but(before, found, number)
    )


async def remove(notes: Notes, person: Visitor, table: TableId) -> None:
    """Remove somebody from a table before the start."""
    await look(notes, person, table)
    before = person.standing
    others = [n for n, seat in enumerate(before.seats) if seat.who not in ("", person.who)]
    if others:
        number = notes.chance.choice(others)
        await notes.at_table(
            person,
            say.RemoveSeat(seat=number),
            lambda found: not found.seats[number].who and same_but(before, found, number),
        )
