"""The lines of the lobby's chat in the store, the newest first, and by person, so that theirs can be deleted.

A line and its place among those of its speaker are put in one batch. Both expire after KEPT_SECONDS; of a flood the
newest MOST_KEPT lines stay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from server.store.paging import each_beginning, falling
from server.store.port import RecordConflict, Store, StoreDamaged, StoredRecord

LINES: Final = "lobby-line"
"""Kind of the lines, by their falling numbers."""
SAID: Final = "lobby-said"
"""Kind of the keys of a person's lines, by "PERSON KEY"."""
DAY: Final = 24 * 3600
KEPT_SECONDS: Final = 30 * DAY
MOST_KEPT: Final = 100_000
_TRIES: Final = 10


class LobbyLine(msgspec.Struct, frozen=True):
    """A line as it was said. `number`: counts up; `who`: the speaker's id; `at`: Unix seconds."""

    number: int
    who: str
    text: str
    at: int


def read_line(data: bytes) -> LobbyLine:
    """Decode a stored line. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=LobbyLine)


class LobbyLines:
    """The lines of one store. `wall` returns Unix seconds; `most`: lines that are kept."""

    def __init__(self, store: Store, wall: Callable[[], int], most: int = MOST_KEPT) -> None:
        self._store = store
        self._wall = wall
        self._most = most
        self._writing = asyncio.Lock()
        self._last: int | None = None
        """Number of the newest line; None where it is to be read."""

    async def add(self, who: str, text: str) -> LobbyLine:
        """Store a line as the newest one, and return it. Raises StoreError: then nothing is stored."""
        async with self._writing:
            for left in reversed(range(_TRIES)):
                try:
                    line = LobbyLine(await self._newest() + 1, who, text, self._wall())
                    await self._put(line)
                except RecordConflict:
                    # another server has said something meanwhile
                    self._last = None
                    if not left:
                        raise
                else:
                    self._last = line.number
                    await self._drop(line.number - self._most)
                    return line
        raise AssertionError("a loop over tries returns or raises")

    async def page(self, before: int | None, most: int) -> list[LobbyLine]:
        """Return the newest lines with numbers below `before`, at most so many, the newest first. Raises StoreError."""
        after = None if before is None else falling(before)
        oldest = self._wall() - KEPT_SECONDS
        lines = [_decoded(record.key, record.data) for record in await self._store.page(LINES, after, most)]
        return [line for line in lines if line.at > oldest]

    async def forget(self, who: str) -> None:
        """Delete all lines of a person. Raises StoreError; a part may be gone then, and the rest goes next time."""
        async for place in each_beginning(self._store, SAID, f"{who} "):
            await self._store.delete_record(LINES, place.data.decode())
            await self._store.delete_record(SAID, place.key)

    async def _newest(self) -> int:
        if self._last is None:
            newest = await self._store.page(LINES, None, 1)
            self._last = _decoded(newest[0].key, newest[0].data).number if newest else 0
        return self._last

    async def _put(self, line: LobbyLine) -> None:
        key, data = falling(line.number), msgspec.msgpack.encode(line)
        place = StoredRecord(SAID, f"{line.who} {key}", key.encode(), seconds=KEPT_SECONDS)
        await self._store.put_records([StoredRecord(LINES, key, data, 0, seconds=KEPT_SECONDS), place])

    async def _drop(self, number: int) -> None:
        """Delete the line of this number, where there is one."""
        key = falling(number)
        data = await self._store.get_record(LINES, key) if number > 0 else None
        if data is not None:
            await self._store.delete_record(SAID, f"{_decoded(key, data).who} {key}")
            await self._store.delete_record(LINES, key)


def _decoded(key: str, data: bytes) -> LobbyLine:
    try:
        return read_line(data)
    except msgspec.MsgspecError as problem:
        raise StoreDamaged(f"The line {key} of the lobby cannot be read: {problem}") from problem
