"""Records of one kind with numbers that count up, read the newest first, by page; each expires after a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from server.store.paging import falling
from server.store.port import RecordConflict, Store, StoredRecord

_TRIES: Final = 10
Put = Callable[[Sequence[StoredRecord]], Awaitable[object]]
"""Puts what has happened, together with these records, all or none."""


class Numbered(NamedTuple):
    """A record with its number, and its key in the store."""

    number: int
    key: str
    data: bytes


class NumberedRecords:
    """The records of a kind in one store; each is gone after `seconds`."""

    def __init__(self, store: Store, kind: str, seconds: float) -> None:
        self._store = store
        self._kind = kind
        self._seconds = seconds
        self._writing = asyncio.Lock()
        self._last: int | None = None
        """Number of the newest record; None where it is to be read."""

    async def add(
        self,
        data: bytes,
        also: Callable[[str], Sequence[StoredRecord]] = lambda key: (),
        put: Put | None = None,
    ) -> int:
        """Store a record as the newest, together with those that `also` gives for its key, all or none, and return its
        number. `put` stores them, where others of its own go with them. Raises StoreError: then nothing is stored."""
        put = put or self._store.put_records
        async with self._writing:
            for left in reversed(range(_TRIES)):
                number = await self._newest() + 1
                key = falling(number)
                record = StoredRecord(self._kind, key, data, 0, seconds=self._seconds)
                try:
                    await put([record, *also(key)])
                except RecordConflict:
                    # another server has stored one meanwhile
                    self._last = None
                    if not left:
                        raise
                else:
                    self._last = number
                    return number
        raise AssertionError("a loop over tries returns or raises")

    async def page(self, before: int | None, most: int) -> list[Numbered]:
        """Return the newest records with numbers below `before`, at most so many, the newest first. Raises
        StoreError."""
        after = None if before is None else falling(before)
        found = await self._store.page(self._kind, after, most)
        return [Numbered(_number_of(record.key), record.key, record.data) for record in found]

    async def _newest(self) -> int:
        if self._last is None:
            self._last = next((record.number for record in await self.page(None, 1)), 0)
        return self._last


def _number_of(key: str) -> int:
    """Return the number whose falling digits these are."""
    return int(falling(int(key)))
