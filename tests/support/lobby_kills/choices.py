"""Choices of what is done next: a deed that can be done now, by people who do nothing else, at a table of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

from protocol.ids import NO_TABLE, TableId
from server.lobby.table.table_record import FINISHED, LIVE, OPEN
from tests.support.lobby_kills import match_deeds, order_deeds, people_deeds, quick_deeds, table_deeds
from tests.support.lobby_kills.notes import Notes
from tests.support.lobby_kills.standing import Standing
from tests.support.lobby_kills.visitor import Visitor

MOST_OPEN: Final = 4
"""Tables that wait for their start, from which on no more are opened."""
PLAYS: Final = 36
SEATINGS: Final = 4
SEARCHES: Final = 3
"""As often as anything else are matches played, seats taken, and players looked for."""


class Deed(NamedTuple):
    """A deed, with the people who are busy with it and the table where they are."""

    do: partial[Coroutine[Any, Any, None]]
    people: tuple[Visitor, ...]
    table: TableId = NO_TABLE

    @property
    def name(self) -> str:
        """Name of what is done."""
        return self.do.func.__name__


class Cast(NamedTuple):
    """The people of a script: those who come to play, the moderator, and those who do harm."""

    players: Sequence[Visitor]
    moderator: Visitor
    rowdies: Sequence[Visitor]


def choices(notes: Notes, cast: Cast, busy: Collection[Visitor], held: Collection[TableId]) -> list[Deed]:
    """Return what can be done by those who are not busy, at tables that are not held."""
    free = [person for person in cast.players if person not in busy]
    notes.chance.shuffle(free)
    tables = [table for table in notes.tables() if table.id not in held]
    found = [*_people(notes, free)]
    for table in tables:
        found += _OF_STATE[table.state](notes, free, table)
    if cast.moderator not in busy:
        found += _order(notes, cast.moderator, [one for one in cast.rowdies if one not in busy])
    return found


def _people(notes: Notes, free: Sequence[Visitor]) -> Iterator[Deed]:
    """Yield what people do about themselves and each other."""
    for me, them in pairwise(free):
        yield Deed(partial(people_deeds.relate, notes, me, them), (me, them))
        if quick_deeds.may_find(notes, me, them):
            yield from [Deed(partial(quick_deeds.find_a_match, notes, me, them), (me, them))] * SEARCHES
    for me in free[:1]:
        yield Deed(partial(people_deeds.speak, notes, me), (me,))
        yield Deed(partial(people_deeds.rename, notes, me), (me,))
        yield Deed(partial(people_deeds.set_webhook, notes, me), (me,))
        yield Deed(partial(people_deeds.report, notes, me, notes.chance.choice(free)), (me,))
        if sum(table.state == OPEN for table in notes.tables()) < MOST_OPEN:
            yield Deed(partial(table_deeds.open_table, notes, me), (me,))


def _before_the_start(notes: Notes, free: Sequence[Visitor], table: Standing) -> Iterator[Deed]:
    others = [person for person in free if table.seat_of(person.who) < 0 and not table.private]
    invited = [person for person in free if any(seat.kept_for == person.who for seat in table.seats)]
    for person in [*(others[:1] if table.free else ()), *invited]:
        yield from [Deed(partial(table_deeds.sit_down, notes, person, table.id), (person,), table.id)] * SEATINGS
    if table.free and len(others) > 1:
        yield Deed(partial(table_deeds.race, notes, others[0], others[1], table.id), tuple(others[:2]), table.id)
    for person in free:
        if table.seat_of(person.who) >= 0:
            for deed in (table_deeds.stand_up, table_deeds.change_places, table_deeds.be_ready):
                yield Deed(partial(deed, notes, person, table.id), (person,), table.id)
        if table.owner == person.who:
            for deed in (table_deeds.change_table, table_deeds.bring_bot, table_deeds.remove):
                yield Deed(partial(deed, notes, person, table.id), (person,), table.id)
            for other in others[:1]:
                yield Deed(partial(table_deeds.keep_seat, notes, person, other, table.id), (person,), table.id)
    yield from _talk(notes, free, table)
    if not any(seat.bot for seat in table.seats) and not table.begins:
        yield from _match(notes, free, table)


def _in_play(notes: Notes, free: Sequence[Visitor], table: Standing) -> Iterator[Deed]:
    yield from _talk(notes, free, table)
    yield from _match(notes, free, table)


def _talk(notes: Notes, free: Sequence[Visitor], table: Standing) -> Iterator[Deed]:
    """Yield what those who sit at a table say to all, and to one another."""
    for person in free:
        if table.seat_of(person.who) >= 0:
            for deed in (match_deeds.talk, match_deeds.whisper):
                yield Deed(partial(deed, notes, person, table.id), (person,), table.id)


def _match(notes: Notes, free: Sequence[Visitor], table: Standing) -> Iterator[Deed]:
    """Yield that a match is played by those who sit at a table, where all of them are free."""
    here = tuple(person for person in free if table.seat_of(person.who) >= 0)
    if len(here) == len(table.seats):
        for _ in range(PLAYS):
            yield Deed(partial(match_deeds.play, notes, here, table.id), here, table.id)


def _after_the_end(notes: Notes, free: Sequence[Visitor], table: Standing) -> Iterator[Deed]:
    """Yield that the next table is opened, where there is none; it has the same name. Where there is one, the same
    request would take a seat at it, at which others may be busy."""
    if notes.may_be_open(table.name):
        return
    for person in free:
        if table.seat_of(person.who) >= 0:
            yield Deed(partial(match_deeds.play_again, notes, person, table.id), (person,), table.id)


def _order(notes: Notes, moderator: Visitor, rowdies: Sequence[Visitor]) -> Iterator[Deed]:
    yield Deed(partial(order_deeds.lift, notes, moderator), (moderator,))
    for rowdy in rowdies:
        yield Deed(partial(order_deeds.ban, notes, moderator, rowdy), (moderator, rowdy))
        if not notes.ledger.known.get(("sanction", rowdy.who, "mute")):
            yield Deed(partial(order_deeds.mute, notes, moderator, rowdy), (moderator, rowdy))
        yield Deed(partial(order_deeds.delete, notes, rowdy), (rowdy,))
        yield Deed(partial(people_deeds.speak, notes, rowdy), (rowdy,))


_OF_STATE: Final[dict[str, Callable[[Notes, Sequence[Visitor], Standing], Iterator[Deed]]]] = {
    OPEN: _before_the_start,
    LIVE: _in_play,
    FINISHED: _after_the_end,
}
