"""The lines of the lobby's chat in the store, the newest first, and by person, so that theirs can be deleted.

A line and its place among those of its speaker are put in one batch. Both expire after KEPT_SECONDS; of a flood the
newest MOST_KEPT lines stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from server.store.numbered_records import NumberedRecords
from server.store.paging import each_beginning, falling
from server.store.port import Store, StoreDamaged, StoredRecord

LINES: Final = "lobby-line"
"""Kind of the lines, by their falling numbers."""
SAID: Final = "lobby-said"
"""Kind of the keys of a person's lines, by "PERSON KEY"."""
DAY: Final = 24 * 3600
KEPT_SECONDS: Final = 30 * DAY
MOST_KEPT: Final = 100_000


class StoredLine(msgspec.Struct, frozen=True):
    """A line as it was said. `who`: the speaker's id; `at`: Unix seconds."""

    who: str
    text: str
    at: int


class LobbyLine(NamedTuple):
    """A line with its number, which counts up."""

    number: int
    line: StoredLine


def read_line(data: bytes) -> StoredLine:
    """Decode a stored line. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=StoredLine)


class LobbyLines:
    """The lines of one store. `wall` returns Unix seconds; `most`: lines that are kept."""

    def __init__(self, store: Store, wall: Callable[[], int], most: int = MOST_KEPT) -> None:
        self._store = store
        self._wall = wall
        self._most = most
        self._lines = NumberedRecords(store, LINES, KEPT_SECONDS)

    async def add(self, who: str, text: str) -> LobbyLine:
        """Store a line as the newest one, and return it. Raises StoreError: then nothing is stored."""
        line = StoredLine(who, text, self._wall())

        def place(key: str) -> list[StoredRecord]:
            return [StoredRecord(SAID, f"{who} {key}", key.encode(), seconds=KEPT_SECONDS)]

        number = await self._lines.add(msgspec.msgpack.encode(line), place)
        await self._drop(number - self._most)
        return LobbyLine(number, line)

    async def page(self, before: int | None, most: int) -> list[LobbyLine]:
        """Return the newest lines with numbers below `before`, at most so many, the newest first. Raises StoreError."""
        oldest = self._wall() - KEPT_SECONDS
        found = await self._lines.page(before, most)
        lines = [LobbyLine(record.number, _decoded(record.key, record.data)) for record in found]
        return [one for one in lines if one.line.at > oldest]

    async def forget(self, who: str) -> None:
        """Delete all lines of a person. Raises StoreError; a part may be gone then, and the rest goes next time."""
        async for place in each_beginning(self._store, SAID, f"{who} "):
            await self._store.delete_record(LINES, place.data.decode())
            await self._store.delete_record(SAID, place.key)

    async def _drop(self, number: int) -> None:
        """Delete the line of this number, where there is one."""
        key = falling(number)
        data = await self._store.get_record(LINES, key) if number > 0 else None
        if data is not None:
            await self._store.delete_record(SAID, f"{_decoded(key, data).who} {key}")
            await self._store.delete_record(LINES, key)


def _decoded(key: str, data: bytes) -> StoredLine:
    try:
        return read_line(data)
    except msgspec.MsgspecError as problem:
        raise StoreDamaged(f"The line {key} of the lobby cannot be read: {problem}") from problem
