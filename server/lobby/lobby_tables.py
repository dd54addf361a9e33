"""All tables of a lobby by id. One whose match is over is a record alone, and a table again for whoever looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from server.lobby.table.table_record import FINISHED

if TYPE_CHECKING:
    from protocol.ids import TableId
    from server.lobby.directory import TableDirectory
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord

RECORDS_AT_ONCE: Final = 500
"""Tables that are looked at before others may run again."""


class LobbyTables:
    """Tables whose records stand in the directory. `make`: make a table of its record.

    A finished table is in memory while anybody holds it, and one and the same for all of them. What it knows beside its
    record goes with it, as at a restart.
    """

    def __init__(self, directory: TableDirectory, make: Callable[[TableRecord], LiveTable]) -> None:
        self._directory = directory
        self._make = make
        self.unfinished: dict[TableId, LiveTable] = {}
        self._finished: WeakValueDictionary[TableId, LiveTable] = WeakValueDictionary()

    def add(self, record: TableRecord) -> None:
        """Add a table that is not known yet."""
        self._directory.put(record)
        if record.state != FINISHED:
            self.unfinished[record.id] = self._make(record)

    def changed(self, live: LiveTable) -> None:
        """Take the changed record of a table."""
        record = live.record
        self._directory.put(record)
        if record.state == FINISHED and self.unfinished.pop(record.id, None) is not None:
            self._finished[record.id] = live

    def remove(self, id: TableId) -> None:
        """Remove a table that has not begun."""
        del self.unfinished[id]
        self._directory.remove(id)

    def get(self, id: TableId) -> LiveTable | None:
        """Return a table, None where it is not known."""
        live = self.unfinished.get(id, self._finished.get(id))
        if live is None and (record := self._directory.record(id)) is not None:
            live = self._finished[id] = self._make(record)
        return live

    def __getitem__(self, id: TableId) -> LiveTable:
        """Return a table that is known."""
        live = self.get(id)
        if live is None:
            raise KeyError(id)
        return live

    def in_memory(self) -> list[LiveTable]:
        """Return the tables that are in memory."""
        return [*self.unfinished.values(), *self._finished.values()]

    @property
    def finished(self) -> int:
        """Number of finished tables."""
        return len(self._directory.ids()) - len(self.unfinished)

    def each(self) -> Iterator[LiveTable]:
        """Yield one table after another, finished ones too; tables may come and go meanwhile."""
        for id in self._directory.ids():
            live = self.get(id)
            if live is not None:
                yield live

    async def records(self) -> AsyncIterator[TableRecord]:
        """Yield the record of each table; others run meanwhile, and tables may come and go."""
        for number, id in enumerate(self._directory.ids(), start=1):
            record = self._directory.record(id)
            if record is not None:
                yield record
            if number % RECORDS_AT_ONCE == 0:
                await asyncio.sleep(0)
