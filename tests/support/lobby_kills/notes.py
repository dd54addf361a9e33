"""The notes that people at one server share: each change is noted before it is asked for, and when it is done."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from protocol.ids import TableId
from protocol.wire import from_client as say
from server.lobby.table.table_record import FINISHED, LIVE, OPEN
from server.people.contacts import NO_CONTACTS, Contacts
from tests.support.lobby_kills.ledger import Fitting, Key, Ledger
from tests.support.lobby_kills.standing import Standing
from tests.support.lobby_kills.visitor import Visitor

STATES: Final = (OPEN, LIVE, FINISHED)


def same_but(before: Standing, found: Standing | None, *seats: int, fields: Collection[str] = ()) -> bool:
    """Return True where a table differs in nothing but these seats, these fields, and wishes to change places."""
    if found is None or len(found.seats) != len(before.seats):
        return False
    for number, (old, new) in enumerate(zip(before.seats, found.seats, strict=True)):
        if number not in seats and old._replace(swap_with=-1) != new._replace(swap_with=-1):
            return False
    apart = {"seats", *fields}
    return all(getattr(found, name) == getattr(before, name) for name in Standing._fields if name not in apart)


def goes_on(before: Standing, found: Standing | None) -> bool:
    """Return True where a table stands as before or later, with the same people, of whom some may have conceded."""
    if found is None:
        return False
    is_later = STATES.index(found.state) >= STATES.index(before.state)
    return is_later and all(new.who in ("", old.who) for old, new in zip(before.seats, found.seats, strict=True))


class Notes:
    """The ledger, with what the next deeds need to know. `creating`: owners of tables that may have been opened;
    `said_at_tables`: words that were told at tables since the server was started, and when; `names`: of tables, which
    they keep; `seeks`: two people look for players."""

    def __init__(self, seed: int) -> None:
        self.ledger = Ledger()
        self.chance = random.Random(seed)
        self.creating: list[str] = []
        self.said_at_tables: list[tuple[TableId, str, float]] = []
        self.names: dict[TableId, str] = {}
        self.seeks = False
        self._contacts: dict[str, Contacts] = {}
        self._count = 0

    def fresh(self, word: str) -> str:
        """Return words that nobody has said yet."""
        self._count += 1
        return f"{word} {self._count}"

    def standing(self, table: TableId) -> Standing:
        """Return a table as it was last told."""
        found = self.ledger.known["table", table]
        assert isinstance(found, Standing), f"nobody knows how {table} stands"
        return found

    def tables(self) -> list[Standing]:
        """Return all tables that stand as they were told."""
        return [known for known in self.ledger.known.values() if isinstance(known, Standing)]

    def knows(self, table: TableId) -> bool:
        """Return True for a table of which somebody has been told."""
        return ("table", table) in self.ledger.known

    def may_be_open(self, name: str) -> bool:
        """Return True where a table of this name waits for its start, or nobody knows at this moment how it stands."""
        known = self.ledger.known
        standings = [known.get(("table", id)) for id, other in self.names.items() if other == name]
        return any(one.state == OPEN if isinstance(one, Standing) else one is not None for one in standings)

    def keeps_name(self, who: str) -> bool:
        """Return True where a person keeps their name by a password."""
        return bool(self.ledger.known.get(("keeps", who)))

    def contacts(self, who: str) -> Contacts:
        """Return the contacts of a person as they should be."""
        return self._contacts.get(who, NO_CONTACTS)

    def blocked(self, who: str) -> set[str]:
        """Return those whom a person has blocked."""
        return {one.who for one in self.contacts(who).blocked}

    def relate(self, *people: tuple[str, Contacts]) -> None:
        """Note the contacts of people as they should be from now on."""
        self._contacts.update(people)

    async def change(self, person: Visitor, message: say.Message, changes: Mapping[Key, Any]) -> list[str]:
        """Ask for something that changes these things, and return what was refused. Raises LinkLost."""
        begun = self.ledger.begin(changes)
        refused = await person.done(message)
        if refused:
            self.ledger.drop(begun)
        else:
            self.ledger.end(begun)
        return refused

    async def must_change(self, person: Visitor, message: say.Message, changes: Mapping[Key, Any]) -> None:
        """Ask for something that nothing stands against. Raises LinkLost."""
        refused = await self.change(person, message, changes)
        assert not refused, f"{message} was refused: {refused}"

    async def at_table(self, person: Visitor, message: say.Message, fits: Callable[[Standing], bool]) -> bool:
        """Ask for a change of the table where they are, after which it `fits`. Raises LinkLost."""
        table, wanted = person.place, Fitting(fits)
        is_done = not await self.change(person, message, {("table", table): wanted})
        if person.place == table:
            told = person.standing
            assert not is_done or wanted == told, f"{message} came to {told}"
            self.ledger.known["table", table] = told
        return is_done

    async def open(self, person: Visitor, message: say.Message) -> None:
        """Ask for a new table. Raises LinkLost."""
        self.creating.append(person.who)
        refused = await person.done(message)
        self.creating.remove(person.who)
        if not refused:
            assert not self.knows(person.place), f"{message} led to a table that is not new"
            self.opened(person)

    def opened(self, person: Visitor) -> None:
        """Note the new table where somebody is."""
        self.ledger.known["table", person.place] = person.standing
        self.names[person.place] = person.standing.name
        self.ledger.acknowledged += 1
