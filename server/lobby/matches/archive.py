"""The archive of finished matches: their log leaves the store once it stands in a replay that is safe on the disk.

Whenever a server dies, a match has its steps in the store, or a whole replay, or both.
"""

from __future__ import annotations

import asyncio

from protocol.errors import BadReplay, RefusedError
from protocol.fairness.replay import Header, read_log
from server.lobby.services import Services
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import TableRecord
from server.match.replays import ANY_SIZE, make_durable
from server.match.stored_log import CLOSED_ANSWERS, StoredLog
from server.runtime.long_threads import in_thread


class NotArchived(RefusedError):
    """A match without a replay that holds all its steps; its text says why."""


class Archive:
    """Archive that moves the logs of finished matches out of the store, and reads them back from their files."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._folder = services.replays
        self._moving = asyncio.Lock()

    async def put_away(self, live: LiveTable) -> None:
        """Remove a finished match from the store, if its replay holds every step of it.

        Raises NotArchived, StoreError: the steps are then still in the store. When cancelled, either.
        """
        table = live.record
        async with self._moving:
            steps = [stored.step for stored in await self._store.read(table.match)]
            if not steps:
                return
            if list(await self._log(table)) != steps:
                raise NotArchived("the replay does not hold the steps of the store")
            await asyncio.to_thread(make_durable, self._folder / table.replay)
            if live.host is not None:
                live.host.archived(steps)
            await self._store.delete_record(CLOSED_ANSWERS, table.id)
            await self._store.delete_match(table.match)

    async def recover(self, stored: StoredLog, table: TableRecord) -> None:
        """Fold a finished match from its steps in the store or in its replay. Raises NotArchived and what
        StoredLog.recover raises."""
        async with self._moving:
            if await self._store.version(table.match):
                await stored.recover()
            else:
                await stored.fold(await self._log(table))

    async def _log(self, table: TableRecord) -> tuple[bytes, ...]:
        """Return the steps in the replay of a match. Raises NotArchived."""
        try:
            header, log = await in_thread(self._read, table.replay)
        except OSError as problem:
            raise NotArchived(f"{table.replay or 'its replay'} cannot be read: {problem.strerror}") from problem
        except BadReplay as problem:
            raise NotArchived(f"{table.replay} is damaged ({problem.code})") from problem
        if header.match != table.match:
            raise NotArchived(f"{table.replay} is of another match")
        return log

    def _read(self, name: str) -> tuple[Header, tuple[bytes, ...]]:
        return read_log((self._folder / name).read_bytes(), ANY_SIZE)
