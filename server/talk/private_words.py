"""Words between two people at a table, sealed in the store until the match ends: they belong to these two alone.

One record for each two people of a table, with the newest KEPT_WORDS of what passed between them; a bare key for each
of the two leads to it, so that theirs can be deleted with an account.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from protocol.ids import TableId
from protocol.wire.from_server import ChatLine
from server.runtime.errors import SealDamaged
from server.runtime.sealing import SealingKey
from server.store.paging import each_beginning, each_record
from server.store.port import RecordConflict, Store, StoreDamaged, StoredRecord

WORDS: Final = "words"
"""Kind of the records, by "TABLE PERSON PERSON"."""
HAD: Final = "words-of"
"""Kind of the keys that lead to them, by "PERSON KEY"."""
KEPT_WORDS: Final = 50
LABEL: Final = b"eschaton/words/"
_TRIES: Final = 8

_LINES: Final = msgspec.msgpack.Decoder(tuple[ChatLine, ...])


class _KeptWords(NamedTuple):
    """Words as they are stored; `version`: 0 where nothing is."""

    lines: tuple[ChatLine, ...]
    version: int


class PrivateWords:
    """The words of all tables in one store, sealed by the host's key."""

    def __init__(self, store: Store, key: SealingKey) -> None:
        self._store = store
        self._key = key

    async def add(self, table: TableId, other: str, line: ChatLine) -> None:
        """Keep a line that its speaker has for another person. Raises StoreError: then it is not kept."""
        one, two = sorted((line.who, other))
        key = f"{table} {one} {two}"
        for left in reversed(range(_TRIES)):
            try:
                await self._put(key, await self._read(key), line)
            except RecordConflict:
                # the other has answered meanwhile
                if not left:
                    raise
            else:
                return

    async def of(self, table: TableId, who: str) -> list[list[ChatLine]]:
        """Return what has passed between a person and each other at a table. Raises StoreError."""
        found = each_beginning(self._store, WORDS, f"{table} ")
        mine = [record async for record in found if who in _people(record.key)]
        return [[*opened_words(self._key, record.key, record.data)] for record in mine]

    async def delete(self, table: TableId) -> None:
        """Delete all words of a table. Raises StoreError; a part may be gone then."""
        async for record in each_beginning(self._store, WORDS, f"{table} "):
            await self._delete(record.key)

    async def forget(self, who: str) -> None:
        """Delete all words of a person, and of others to them. Raises StoreError; a part may be gone then."""
        async for place in each_beginning(self._store, HAD, f"{who} "):
            await self._delete(place.key.partition(" ")[2])

    async def sweep(self, is_over: Callable[[TableId], bool]) -> None:
        """Delete the words of all tables whose match is over, or that are gone: a crash may have left them. Raises
        StoreError."""
        async for record in each_record(self._store, WORDS):
            if is_over(TableId(record.key.partition(" ")[0])):
                await self._delete(record.key)

    async def _read(self, key: str) -> _KeptWords:
        found = await self._store.find_record(WORDS, key)
        if found is None:
            return _KeptWords((), 0)
        return _KeptWords(opened_words(self._key, key, found.data), found.version)

    async def _put(self, key: str, kept: _KeptWords, line: ChatLine) -> None:
        data = msgspec.msgpack.encode((*kept.lines, line)[-KEPT_WORDS:])
        records = [StoredRecord(WORDS, key, self._key.seal(data, key, LABEL), kept.version)]
        if not kept.version:
            records += [StoredRecord(HAD, f"{who} {key}", b"") for who in _people(key)]
        await self._store.put_records(records)

    async def _delete(self, key: str) -> None:
        await self._store.delete_record(WORDS, key)
        for who in _people(key):
            await self._store.delete_record(HAD, f"{who} {key}")


def opened_words(key: SealingKey, name: str, data: bytes) -> tuple[ChatLine, ...]:
    """Return the lines of a sealed record. Raises StoreDamaged, which names it."""
    try:
        return _LINES.decode(key.open(data, name, LABEL))
    except (SealDamaged, msgspec.MsgspecError) as problem:
        raise StoreDamaged(f"The words {name} cannot be read: {problem}") from problem


def _people(key: str) -> tuple[str, str]:
    """Return the two people of a record."""
    _, one, two = key.split(" ")
    return one, two
