"""Records of tables in the store: changed only where the store has what was last seen of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from server.lobby.stored_tables import StoredTables
from server.lobby.table.table_record import TABLES, SeatRecord, TableRecord
from server.runtime.logs import make_log
from server.store.port import RecordConflict, StoredRecord, StoreUnavailable
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stores import FailingStore

ID = TableId("t1")
RECORD = TableRecord(ID, "CODE", "Name", "duel", "two", "ann", (SeatRecord("ann"),), 1, 1)


def tables(store: MemoryStore) -> StoredTables:
    return StoredTables(store, make_log())


class SlowStore(MemoryStore):
    """A store that keeps what it is given, and then does not answer until told."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = asyncio.Event()
        self.answers.set()

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        versions = await super().put_records(records)
        await self.answers.wait()
        return versions


async def names(store: MemoryStore) -> list[str]:
    return [record.name async for record in tables(store).each()]


async def test_a_table_that_another_has_changed_is_not_written_over() -> None:
    store = MemoryStore()
    mine, theirs = tables(store), tables(store)
    await mine.put(RECORD)
    [read] = [record async for record in theirs.each()]
    await theirs.put(replace(read, name="Theirs"))
    for _ in range(2):
        with pytest.raises(RecordConflict, match="The table 't1' has version"):
            await mine.put(replace(RECORD, name="Mine"))
    assert await names(store) == ["Theirs"]
    with pytest.raises(RecordConflict, match="though none was expected"):
        await tables(store).put(RECORD)
    await mine.put_again(replace(RECORD, name="Mine"))
    await mine.put(replace(RECORD, name="Mine again"))
    assert await names(store) == ["Mine again"]


async def test_after_a_refused_or_a_cancelled_call_the_next_one_is_taken() -> None:
    failing = FailingStore()
    stored = tables(failing)
    for name in ("one", "two"):
        failing.failing = True
        with pytest.raises(StoreUnavailable):
            await stored.put(replace(RECORD, name=name))
        failing.failing = False
        await stored.put(replace(RECORD, name=name))
    assert await names(failing) == ["two"]
    slow = SlowStore()
    stored = tables(slow)
    for name in ("one", "two"):
        slow.answers.clear()
        cancelled = asyncio.ensure_future(stored.put(replace(RECORD, name=f"{name}, cancelled")))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        slow.answers.set()
        assert await names(slow) == [f"{name}, cancelled"]
        await stored.put(replace(RECORD, name=name))
    assert await names(slow) == ["two"]


async def test_a_deleted_table_is_not_known_any_more() -> None:
    store = MemoryStore()
    stored = tables(store)
    await stored.put(RECORD)
    assert ID in stored
    await stored.delete(RECORD)
    assert ID not in stored
    assert await names(store) == []


async def test_a_table_that_cannot_be_read_is_left_out() -> None:
    store = MemoryStore()
    await store.put_record(TABLES, "bad", b"\xc1")
    await store.put_record(TABLES, ID, msgspec.msgpack.encode(RECORD))
    assert await names(store) == ["Name"]
