"""The audit list: each act of a moderator, or of the host about order, with its reason; nothing in it is changed.

An entry is stored in one batch with what the act changes, so that there is neither without the other. It is kept for a
year.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import msgspec

from protocol.ids import NO_TABLE, TableId
from protocol.text_cleaning import clean_line
from server.runtime.refusals import Refused
from server.store.numbered_records import NumberedRecords, Put
from server.store.port import Store, StoredRecord
from server.store.record_form import read_record

AUDIT: Final = "audit"
"""Kind of the entries, by their falling numbers."""
DAY: Final = 24 * 3600
KEPT_SECONDS: Final = 365 * DAY
OrderAct = Literal["appoint", "dismiss", "ban", "mute", "lift", "remove", "rename", "close", "announce", "take_back"]


class Doer(NamedTuple):
    """Whoever carries out an act: a moderator by id and name, or the host (HOST)."""

    id: str
    name: str


HOST: Final = Doer("", "")


class AuditEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """An act by a moderator, `by`, with the name that they had; both are empty where it was the host's. `who`, `name`:
    the person whom it was about; `table`: that from which they were removed, or that was closed; `until`: end of a ban
    or mute, 0: for ever; `detail`: the new name of a person, what a ban includes, which kind of sanction was lifted,
    the name of a table, or the words of an announcement; `at`: Unix seconds."""

    act: OrderAct
    at: int
    by: str = ""
    by_name: str = ""
    who: str = ""
    name: str = ""
    table: TableId = NO_TABLE
    until: int = 0
    detail: str = ""
    reason: str = ""


def reason_given(words: str) -> str:
    """Return a reason as it is kept. Raises Refused where nothing readable is left."""
    reason = clean_line(words).strip()
    if not reason:
        raise Refused("order/no-reason")
    return reason


class NumberedEntry(NamedTuple):
    """An entry with its number, which counts up."""

    number: int
    entry: AuditEntry


def read_entry(data: bytes) -> AuditEntry:
    """Decode a stored entry. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=AuditEntry)


class AuditList:
    """The audit list of one store."""

    def __init__(self, store: Store) -> None:
        self._entries = NumberedRecords(store, AUDIT, KEPT_SECONDS)

    async def write(self, entry: AuditEntry, *records: StoredRecord) -> None:
        """Store an entry as the newest, together with the records of its act, all or none. Raises StoreError: then
        nothing is stored."""
        await self._entries.add(msgspec.msgpack.encode(entry), lambda _: records)

    async def write_with(self, entry: AuditEntry, put: Put) -> None:
        """Store an entry as `write` does, where `put` stores the act together with the records that it is given. Raises
        what `put` raises: then nothing is stored."""
        await self._entries.add(msgspec.msgpack.encode(entry), put=put)

    async def page(self, before: int | None, most: int) -> list[NumberedEntry]:
        """Return the newest entries with numbers below `before`, at most so many. Raises StoreError."""
        found = await self._entries.page(before, most)
        return [NumberedEntry(one.number, read_record(AUDIT, one.key, one.data, AuditEntry)) for one in found]
