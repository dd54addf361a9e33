"""The contacts of people: in the store, and of those who are connected the muted and blocked ones at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from protocol.limits import Limits
from server.people.contact_book import ContactBook, KeptContacts
from server.people.contacts import CHANGES, BothContacts, Contacts, Meeting, Person, met
from server.store.port import Store


class _Ears(NamedTuple):
    """The people whom a connected person muted and blocked, and if they hide: asked too often to be read each time."""

    version: int
    muted: frozenset[str]
    blocked: frozenset[str]
    hidden: bool


_OPEN: Final = _Ears(0, frozenset(), frozenset(), hidden=False)
"""Ears of somebody who is not connected."""


class People:
    """The contacts of all people. `wall` returns Unix seconds."""

    def __init__(self, store: Store, limits: Limits, wall: Callable[[], int]) -> None:
        self._book = ContactBook(store)
        self._limits = limits
        self._wall = wall
        self._here: dict[str, _Ears] = {}

    async def contacts(self, who: str) -> Contacts:
        """Return the contacts of a person. Raises StoreError."""
        return (await self._book.read(who)).contacts

    async def relate(self, what: str, me: Person, them: Person) -> BothContacts:
        """Do this (`contacts.CHANGES`) about another person, and return the contacts of both. Raises Refused,
        StoreError."""
        meeting = Meeting(me, them, self._wall(), self._limits)
        found = await self._change((me.who, them.who), lambda both: CHANGES[what](BothContacts(*both), meeting))
        return BothContacts(*found)

    async def hide(self, who: str, *, hidden: bool) -> None:
        """Let a person's friends see, or not see, whether they are here. Raises StoreError."""
        await self._change((who,), lambda mine: [replace(mine[0], hidden=hidden)])

    async def played(self, person: Person, others: Sequence[Person]) -> None:
        """Note that a person plays with these others. Raises StoreError."""
        at, most = self._wall(), self._limits.recent
        await self._change((person.who,), lambda mine: [met(mine[0], others, at, most)])

    async def forget(self, who: str) -> None:
        """Delete all that is kept of an account that is gone. Raises StoreError."""
        await self._book.delete(who)

    async def _change(
        self, people: Sequence[str], change: Callable[[Sequence[Contacts]], Sequence[Contacts]]
    ) -> list[Contacts]:
        found = await self._book.change(people, change)
        for who, kept in zip(people, found, strict=True):
            if who in self._here:
                self._take(who, kept)
        return [kept.contacts for kept in found]

    # Those who are connected

    async def enter(self, who: str) -> None:
        """Know whom this person will not hear, from before they are connected until they `leave`. Raises StoreError."""
        self._take(who, await self._book.read(who))

    def leave(self, who: str) -> None:
        """Forget what is known of one who is connected no more."""
        self._here.pop(who, None)

    def hears(self, hearer: str, speaker: str) -> bool:
        """Return True where the hearer wants to read what this person says."""
        return speaker not in self._here.get(hearer, _OPEN).muted and not self.is_blocked(hearer, speaker)

    def is_blocked(self, by: str, who: str) -> bool:
        """Return True where a connected person has blocked another."""
        return who in self._here.get(by, _OPEN).blocked

    def is_hidden(self, who: str) -> bool:
        """Return True where a connected person does not want to be seen by friends."""
        return self._here.get(who, _OPEN).hidden

    def _take(self, who: str, kept: KeptContacts) -> None:
        """Take what has been read or written, unless something newer is known."""
        known, found = self._here.get(who, _OPEN), kept.contacts
        if kept.version >= known.version:
            muted, blocked = (frozenset(contact.who for contact in held) for held in (found.muted, found.blocked))
            self._here[who] = _Ears(kept.version, muted, blocked, found.hidden)
