"""Deeds of people in matches: they play to the end, concede, talk to all and to one another, and play again."""

from __future__ import annotations

import time
from collections.abc import Sequence

from protocol.ids import TableId, match_of
from protocol.wire import from_client as say
from protocol.wire.seating import Rematch
from server.lobby.table.table_record import FINISHED, LIVE, OPEN
from tests.support.clients.programs import until
from tests.support.lobby_kills.ledger import Fitting
from tests.support.lobby_kills.notes import Notes, goes_on
from tests.support.lobby_kills.table_deeds import look
from tests.support.lobby_kills.visitor import LinkLost, Visitor


async def play(notes: Notes, people: Sequence[Visitor], table: TableId) -> None:
    """Begin a match for which all are there, or go on with it, and play it to its end, or until one concedes."""
    for person in people:
        if not await look(notes, person, table):
            return
    before = notes.standing(table)
    owner = next((person for person in people if person.who == before.owner), people[0])
    begun = notes.ledger.begin({("table", table): Fitting(lambda found: goes_on(before, found))})
    if before.state == OPEN:
        for person in people:
            await person.done(say.SetReady(ready=True))
        if await owner.done(say.StartMatch()):
            notes.ledger.drop(begun)
            await _told(notes, people, table)
            return
        # from here on it is on
        notes.ledger.known["table", table] = Fitting(lambda found: goes_on(before._replace(state=LIVE), found))
    await _play_on(notes, people)
    notes.ledger.end(begun)
    await _told(notes, people, table)
    if people[0].state == FINISHED:
        notes.ledger.known["result", match_of(table)] = 1


async def _told(notes: Notes, people: Sequence[Visitor], table: TableId) -> None:
    """Note how the table stands now; all that has been said is done."""
    for person in people:
        await person.go_to(table)
    told = people[0].standing
    # a bot plays on for whoever has conceded
    is_still = told.state != LIVE or not any(seat.bot for seat in told.seats)
    notes.ledger.known["table", table] = told if is_still else Fitting(lambda found: goes_on(told, found))


async def _play_on(notes: Notes, people: Sequence[Visitor]) -> None:
    """Play until the match is over, or one has conceded who is tired of it. Raises LinkLost."""
    is_tired = notes.chance.random() < 0.1
    while True:
        await until(lambda: any(one.closed or one.offers("rest") for one in people) or _is_over(people))
        if _is_over(people):
            return
        mover = next((one for one in people if one.offers("rest")), None)
        if mover is None:
            raise LinkLost
        if is_tired:
            await mover.done(say.Concede())
            return
        await mover.act("rest")


def _is_over(people: Sequence[Visitor]) -> bool:
    return all(person.state == FINISHED for person in people)


async def talk(notes: Notes, person: Visitor, table: TableId) -> None:
    """Say something at a table."""
    await look(notes, person, table)
    words = notes.fresh("At the table")
    if not await person.done(say.Chat(text=words)):
        notes.said_at_tables.append((person.place, words, time.monotonic()))


async def whisper(notes: Notes, person: Visitor, table: TableId) -> None:
    """Say something to one other person at a table, who need not be there."""
    if not await look(notes, person, table):
        return
    before = person.standing
    others = [n for n, seat in enumerate(before.seats) if seat.who not in ("", person.who) and not seat.bot]
    if others:
        words = notes.fresh("Between us")
        message = say.Chat(text=words, to=notes.chance.choice(others))
        await notes.must_change(person, message, {("words", table, person.who, words): 1})


async def play_again(notes: Notes, person: Visitor, table: TableId) -> None:
    """Open the next table of those who have played here."""
    if await look(notes, person, table):
        known = notes.standing(table)
        assert known.state == FINISHED
        await notes.open(person, Rematch())
