"""Contacts in the store: one record a person, written only over the version that was read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from server.people.contacts import NO_CONTACTS, Contacts, forgotten
from server.store.port import RecordConflict, Store, StoreDamaged, StoredRecord
from server.store.record_form import NOTHING_UNKNOWN, encode_record, unknown_fields

CONTACTS: Final = "contacts"
"""Kind of the records, by the id of their person."""
CONTACTS_SCHEMA: Final = 1
TRIES: Final = 8
"""Of a change whose records others change at the same time."""


def read_contacts(data: bytes) -> Contacts:
    """Decode stored contacts. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=Contacts)


class KeptContacts(NamedTuple):
    """Contacts as they are stored. `version`: 0 where nothing is; `unknown`: fields that this program does not know."""

    contacts: Contacts
    version: int
    unknown: Mapping[str, Any]


NOTHING_KEPT: Final = KeptContacts(NO_CONTACTS, 0, NOTHING_UNKNOWN)


class ContactBook:
    """The contacts of all people."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def read(self, who: str) -> KeptContacts:
        """Return the contacts of a person. Raises StoreError."""
        found = await self._store.find_record(CONTACTS, who)
        if found is None:
            return NOTHING_KEPT
        try:
            return KeptContacts(read_contacts(found.data), found.version, unknown_fields(found.data, Contacts))
        except msgspec.MsgspecError as problem:
            raise StoreDamaged(f"The contacts of {who} cannot be read: {problem}") from problem

    async def change(
        self, people: Sequence[str], change: Callable[[Sequence[Contacts]], Sequence[Contacts]]
    ) -> list[KeptContacts]:
        """Change the contacts of these people, of all or of none, and return them.

        `change` is called again with what is there then, where somebody else has written meanwhile. Raises what it
        raises, StoreError.
        """
        tries = TRIES
        while True:
            before = [await self.read(who) for who in people]
            after = change([kept.contacts for kept in before])
            changed = [kept.contacts != new for kept, new in zip(before, after, strict=True)]
            records = [
                StoredRecord(CONTACTS, who, encode_record(new, kept.unknown), kept.version, CONTACTS_SCHEMA)
                for who, kept, new, is_new in zip(people, before, after, changed, strict=True)
                if is_new
            ]
            try:
                versions = iter(await self._store.put_records(records) if records else ())
            except RecordConflict:
                tries -= 1
                if not tries:
                    raise
                continue
            return [
                KeptContacts(new, next(versions) if is_new else kept.version, kept.unknown)
                for kept, new, is_new in zip(before, after, changed, strict=True)
            ]

    async def delete(self, who: str) -> None:
        """Delete the contacts of a person, and them from those of friends and of people with a request to or from
        them. Raises StoreError; a part may be gone then, and the rest goes next time."""
        mine = (await self.read(who)).contacts
        for other in {contact.who: None for contact in (*mine.friends, *mine.asked, *mine.asking, *mine.blocked)}:
            await self.change([other], lambda found: [forgotten(found[0], who)])
        await self._store.delete_record(CONTACTS, who, CONTACTS_SCHEMA)
