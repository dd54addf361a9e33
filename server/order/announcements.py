"""Announcements of the host and of moderators to everybody: in the store as long as they stand, and all at hand."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from protocol.limits import Limits
from protocol.text_cleaning import clean_line
from server.order.audit import HOST, AuditEntry, AuditList, Doer
from server.order.sanctions import GONE_SECONDS
from server.runtime.refusals import Refused
from server.store.paging import each_record
from server.store.port import Store, StoredRecord
from server.store.record_form import read_record

ANNOUNCEMENTS: Final = "announcement"
"""Kind of the records, by the ids of the announcements."""


class StoredAnnouncement(msgspec.Struct, frozen=True, omit_defaults=True):
    """An announcement that stands from `at` until `until`; `due`: the moment to which it counts down, 0 for none. All
    in Unix seconds."""

    id: str
    text: str
    at: int
    until: int
    due: int = 0


def read_announcement(data: bytes) -> StoredAnnouncement:
    """Decode a stored announcement. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=StoredAnnouncement)


class AnnouncementBoard:
    """The announcements of one store. `wall` returns Unix seconds."""

    def __init__(self, store: Store, audit: AuditList, wall: Callable[[], int], limits: Limits) -> None:
        self._store = store
        self._audit = audit
        self._wall = wall
        self._limits = limits
        self._all: dict[str, StoredAnnouncement] = {}
        self._writing = asyncio.Lock()

    async def open(self) -> None:
        """Read all that stand. Raises StoreError."""
        async for record in each_record(self._store, ANNOUNCEMENTS):
            self._all[record.key] = read_record(ANNOUNCEMENTS, record.key, record.data, StoredAnnouncement)

    def standing(self) -> Sequence[StoredAnnouncement]:
        """Return all that stand, the newest first; those that have ended are forgotten."""
        now = self._wall()
        self._all = {id: one for id, one in self._all.items() if now < one.until}
        return sorted(self._all.values(), key=lambda one: (-one.at, one.id))

    async def announce(self, words: str, seconds: int, by: Doer = HOST) -> StoredAnnouncement:
        """Let an announcement stand, which counts down for so many seconds, 0: it does not. Raises Refused where its
        words or their number are none that may stand, StoreError: then it does not."""
        limits = self._limits
        text = clean_line(words).strip()[: limits.announcement_length]
        if not text:
            raise Refused("order/no-words")
        async with self._writing:
            if len(self.standing()) >= limits.announcements:
                raise Refused("order/announced", most=limits.announcements)
            now = self._wall()
            due = now + min(seconds, limits.countdown_seconds) if seconds else 0
            until = due + limits.announced_seconds if due else now + limits.announcement_seconds
            fresh = StoredAnnouncement(secrets.token_hex(4), text, now, until, due)
            await self._audit.write(AuditEntry("announce", now, *by, detail=text), self._record(fresh))
            self._all[fresh.id] = fresh
            return fresh

    async def take_back(self, id: str, by: Doer = HOST) -> StoredAnnouncement:
        """End an announcement, and return it. Raises Refused where it stands no more, StoreError: then it stands."""
        async with self._writing:
            found = next((one for one in self.standing() if one.id == id), None)
            if found is None:
                raise Refused("order/not-announced")
            now = self._wall()
            entry = AuditEntry("take_back", now, *by, detail=found.text)
            await self._audit.write(entry, self._record(replace(found, until=now)))
            self._all.pop(id, None)
            return found

    def _record(self, one: StoredAnnouncement) -> StoredRecord:
        """Return the record by which an announcement is stored, which goes when it ends."""
        seconds = max(one.until - self._wall(), GONE_SECONDS)
        return StoredRecord(ANNOUNCEMENTS, one.id, msgspec.msgpack.encode(one), seconds=seconds)
