"""The records of tables in the store: the version that each has there, and fields that this program does not know."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from protocol.ids import TableId
from server.lobby.table.table_chat import lists_of
from server.lobby.table.table_record import TABLES, TableRecord
from server.runtime.logs import Log
from server.store.paging import each_record
from server.store.port import Store, StoredRecord
from server.store.record_form import NOTHING_UNKNOWN, encode_record, unknown_fields

TABLE_SCHEMA: Final = 1


class StoredTables:
    """The records of the tables of one lobby, which alone writes them: a version that is not its own is refused."""

    def __init__(self, store: Store, log: Log) -> None:
        self._store = store
        self._log = log
        self._versions: dict[TableId, int | None] = {}
        """None where a call was cancelled, so that either version may be there."""
        self._unknown: dict[TableId, Mapping[str, Any]] = {}
        self._newer: set[TableId] = set()

    async def each(self) -> AsyncIterator[TableRecord]:
        """Yield all tables; those that cannot be read are logged. Raises StoreError."""
        async for kept in each_record(self._store, TABLES):
            try:
                record = msgspec.msgpack.decode(kept.data, type=TableRecord)
                unknown = unknown_fields(kept.data, TableRecord)
            except msgspec.MsgspecError as problem:
                self._log.error("unreadable", table=kept.key, problem=str(problem))
                continue
            self._versions[record.id] = kept.version
            if unknown:
                self._unknown[record.id] = unknown
            if kept.schema > TABLE_SCHEMA:
                self._newer.add(record.id)
            yield record

    def is_newer(self, id: TableId) -> bool:
        """Return True where a newer program has written this table, so that it may only be read."""
        return id in self._newer

    def __contains__(self, id: TableId) -> bool:
        return id in self._versions

    async def put(self, record: TableRecord, also: Sequence[StoredRecord] = ()) -> None:
        """Store a table in place of what was last read or stored of it, together with other records, all or none.
        Raises StoreError."""
        before = self._versions.get(record.id, 0)
        # until the answer is there, which a cancelled caller never gets
        self._versions[record.id] = None
        try:
            await self._put(record, before, also)
        except Exception:
            if before == 0:
                del self._versions[record.id]
            else:
                self._versions[record.id] = before
            raise

    async def put_again(self, record: TableRecord) -> None:
        """Store a table whatever the store has of it: it may have lost what was stored. Raises StoreError."""
        await self._put(record, None)

    async def delete(self, record: TableRecord) -> None:
        """Delete a table, with its chat. Raises StoreError."""
        for name in lists_of(record.id, len(record.seats)):
            await self._store.delete_lines(name)
        del self._versions[record.id]
        self._unknown.pop(record.id, None)
        await self._store.delete_record(TABLES, record.id, TABLE_SCHEMA)

    async def _put(self, record: TableRecord, expected: int | None, also: Sequence[StoredRecord] = ()) -> None:
        data = encode_record(record, self._unknown.get(record.id, NOTHING_UNKNOWN))
        put = StoredRecord(TABLES, record.id, data, expected, TABLE_SCHEMA)
        self._versions[record.id], *_ = await self._store.put_records([put, *also])
