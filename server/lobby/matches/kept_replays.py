"""Bounds of the replays that are kept: those that are too old or too much go, the longest finished first.

A table says first, durably, that its replay is no longer kept; then the file goes. Its result and its people stay.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from server.lobby.table.table_record import FINISHED
from server.runtime.long_threads import in_thread
from server.store.port import RecordTooNew, StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from server.lobby.lobby_tables import LobbyTables
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord

    Save = Callable[[LiveTable], Awaitable[None]]
    """Have the record say that the replay is no longer kept, durably. Raises StoreError."""

LOOK_SECONDS: Final = 600.0
"""Pause between two looks at the folder."""
SLICE: Final = 20
"""Replays that go one after another; then all else has a second."""
PAUSE_SECONDS: Final = 1.0
DAY: Final = 24 * 3600


class ReplayBounds(NamedTuple):
    """Most of what is kept: days since a match ended, and bytes of all replays. None: no bound."""

    days: float | None = None
    size: int | None = None


NO_BOUNDS: Final = ReplayBounds()


class KeptReplays:
    """The replays of one lobby. `save`: see Save."""

    def __init__(self, services: Services, tables: LobbyTables, save: Save) -> None:
        self._services = services
        self._tables = tables
        self._save = save
        self.bounds = services.replay_bounds
        self._read: Counter[str] = Counter()

    def begin_reading(self, name: str) -> None:
        """Keep this replay until `end_reading` is called as often."""
        self._read[name] += 1

    def end_reading(self, name: str) -> None:
        """Undo one call of `begin_reading`."""
        self._read[name] -= 1
        if not self._read[name]:
            del self._read[name]

    async def watch(self) -> None:
        """Hold the bounds for ever, where there are any."""
        if self.bounds == NO_BOUNDS:
            return
        while True:
            try:
                await self.hold_bounds()
            except (StoreError, OSError) as problem:
                self._services.log.warning("replays-not-removed", problem=str(problem))
            await self._services.clock.sleep(LOOK_SECONDS)

    async def hold_bounds(self) -> None:
        """Remove what is beyond the bounds now. Raises StoreError, OSError: the others go the next time."""
        sizes = await in_thread(_sizes, self._services.replays)
        finished = await self._finished(sizes)
        over = sum(sizes[record.replay] for record in finished) - self._most_bytes
        removed = freed = 0
        try:
            for record in finished:
                if over <= 0 and not self._must_go(record):
                    break
                size = sizes[record.replay]
                if await self._remove(self._tables[record.id]):
                    over, freed, removed = over - size, freed + size, removed + 1
                    if removed % SLICE == 0:
                        await self._services.clock.sleep(PAUSE_SECONDS)
        finally:
            if removed:
                self._services.log.info("replays-removed", replays=removed, bytes=freed)

    @property
    def _most_bytes(self) -> float:
        most = self.bounds.size
        return float("inf") if most is None else most

    def _must_go(self, table: TableRecord) -> bool:
        """Return True for what is no longer kept, and where the match ended too long ago, counted while a server ran: a
        wall clock that is set forward removes nothing."""
        days = self.bounds.days
        return table.replay_dropped or (days is not None and self._services.uptime.seconds - table.changed > days * DAY)

    async def _finished(self, sizes: Mapping[str, int]) -> list[TableRecord]:
        """Return the records of finished tables that have one of these replays: first those whose replay is no longer
        kept and lies there still, then the longest finished."""
        records = self._tables.records()
        found = [record async for record in records if record.state == FINISHED and record.replay in sizes]
        return sorted(found, key=lambda record: (not record.replay_dropped, record.changed))

    async def _remove(self, live: LiveTable) -> bool:
        """Remove the replay of a finished match, unless it is being read, looked at, or all that holds its log."""
        async with live.lock:
            name = live.record.replay
            if live.sessions or name in self._read or await self._services.store.version(live.record.match):
                return False
            if not live.record.replay_dropped:
                try:
                    await self._save(live)
                except RecordTooNew:
                    return False
                self._services.metrics.replays_removed.add()
                if name in self._read:
                    # since this was begun; nobody else begins to read it, and it goes the next time
                    return False
            await asyncio.to_thread((self._services.replays / name).unlink, missing_ok=True)
        return True


def _sizes(folder: Path) -> dict[str, int]:
    """Return the size of each file in a folder, by its name. Raises OSError."""
    sizes = {}
    with os.scandir(folder) as files:
        for file in files:
            with suppress(FileNotFoundError):
                sizes[file.name] = file.stat().st_size
    return sizes
