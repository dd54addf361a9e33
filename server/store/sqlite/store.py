"""The store in one SQLite file: WAL, every commit synced, commits shared by all matches.

One thread writes and one reads, each with its own connection, so the event loop never waits for the disk and a reader
never waits for a sync. What was asked while a commit ran goes into the next one.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from protocol.ids import MatchId
from server.runtime.clock import unix_milliseconds
from server.runtime.crash_points import Mark, unmarked
from server.store import port
from server.store.sqlite import record_statements, statements
from server.store.sqlite.batch_thread import BatchThread
from server.store.sqlite.data_file import DataFile
from server.store.sqlite.step_writer import Append, StepWriter, Work, attempt

WAITING_OPERATIONS: Final = 10_000


class SqliteStore:
    """The store port on the file at `path`; see DataFile for what opening it does and raises.

    limit: operations that may wait, for each thread; beyond it they are refused as busy. mark: called, in the writing
    thread, at each crash point of a transaction. now: the clock by which records expire, in milliseconds of Unix time.
    """

    def __init__(
        self,
        path: Path,
        *,
        limit: int = WAITING_OPERATIONS,
        mark: Mark = unmarked,
        now: Callable[[], int] = unix_milliseconds,
    ) -> None:
        self._now = now
        self._file = DataFile(path)
        self._writer = StepWriter(self._file, mark)
        self._writes: BatchThread[sqlite3.Connection] = BatchThread("store-writer", limit, self._writer.commit)
        self._reads: BatchThread[sqlite3.Connection] = BatchThread("store-reader", limit, self._look_up)

    @property
    def migrated_from(self) -> int | None:
        """Version that the file had, where opening has brought it up to date."""
        return self._file.migrated_from

    @property
    def commits(self) -> int:
        """Number of transactions committed since opening: with many matches far fewer than operations."""
        return self._writer.commits

    async def open_match(self, match: MatchId) -> port.Fence:
        return await self._writes.submit(lambda db: self._writer.open_match(db, match))

    def append(
        self, match: MatchId, fence: port.Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> asyncio.Future[port.AppendResult]:
        port.check_cause(cause)
        return self._writes.put(Append(self._writer, match, fence, cause, expected, step, closes))

    async def seal(
        self, match: MatchId, fence: port.Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> port.SealResult:
        port.check_cause(cause)
        return await self._writes.submit(lambda db: statements.seal(db, match, fence, question, seat, cause, answer))

    async def sealed(self, match: MatchId) -> list[port.SealedAnswer]:
        return await self._reads.submit(lambda db: statements.sealed(db, match))

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[port.LogEntry]:
        return await self._reads.submit(lambda db: statements.read(db, self._file.index, match, after, most))

    async def version(self, match: MatchId) -> int:
        return await self._reads.submit(lambda db: statements.version(db, self._file.index, match))

    async def find(self, match: MatchId, cause: bytes) -> int | None:
        return await self._reads.submit(lambda db: statements.find(db, self._file.index, match, cause))

    async def put_snapshot(self, match: MatchId, version: int, data: bytes) -> bool:
        return await self._writes.submit(lambda db: self._writer.put_snapshot(db, match, version, data))

    async def snapshot(self, match: MatchId) -> port.MatchSnapshot | None:
        return await self._reads.submit(lambda db: statements.snapshot(db, match))

    async def delete_match(self, match: MatchId) -> None:
        await self._writes.submit(lambda db: self._writer.delete_match(db, match))

    async def matches(self) -> list[MatchId]:
        return await self._reads.submit(lambda db: statements.matches(db, self._file.index))

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        await self.put_records((port.StoredRecord(kind, key, data),))

    async def put_records(self, records: Iterable[port.StoredRecord]) -> list[int]:
        batch = port.checked_records(records)
        return await self._writes.submit(lambda db: record_statements.put_records(db, batch, self._now()))

    async def find_record(self, kind: str, key: str) -> port.KeptRecord | None:
        return await self._reads.submit(lambda db: record_statements.find_record(db, kind, key, self._now()))

    async def get_record(self, kind: str, key: str) -> bytes | None:
        found = await self.find_record(kind, key)
        return None if found is None else found.data

    async def page(self, kind: str, after: str | None = None, limit: int = port.PAGE_RECORDS) -> list[port.KeptRecord]:
        port.check_page(kind, after, limit)
        return await self._reads.submit(lambda db: record_statements.page(db, kind, after, limit, self._now()))

    async def kinds(self) -> list[str]:
        return await self._reads.submit(lambda db: record_statements.kinds(db, self._now()))

    async def delete_record(self, kind: str, key: str, schema: int = 1) -> None:
        await self._writes.submit(lambda db: record_statements.delete_record(db, kind, key, schema, self._now()))

    async def changes(
        self, kind: str, after: int, limit: int = port.PAGE_RECORDS
    ) -> list[port.RecordChange] | port.Trimmed:
        port.check_changes(kind, after, limit)
        return await self._reads.submit(lambda db: record_statements.changes(db, kind, after, limit))

    async def append_line(self, name: str, line: bytes, keep: int) -> int:
        port.check_line(name, line, keep)
        return await self._writes.submit(lambda db: record_statements.append_line(db, name, line, keep))

    async def newest_lines(self, name: str, most: int) -> list[port.Line]:
        port.check_lines(name, most)
        return await self._reads.submit(lambda db: record_statements.newest_lines(db, name, most))

    async def delete_lines(self, name: str) -> None:
        await self._writes.submit(lambda db: record_statements.delete_lines(db, name))

    async def put_due(self, name: str, times: Mapping[str, int]) -> None:
        put = dict(times)
        port.check_due(name, put)
        await self._writes.submit(lambda db: record_statements.put_due(db, name, put))

    async def drop_due(self, name: str, key: str) -> None:
        await self._writes.submit(lambda db: record_statements.drop_due(db, name, key))

    async def take_due(self, name: str, until: int, most: int) -> list[port.DueTime]:
        port.check_taking(name, until, most)
        return await self._writes.submit(lambda db: record_statements.take_due(db, name, until, most))

    @property
    def promise(self) -> str:
        return ""

    @property
    def may_lose(self) -> bool:
        return False

    async def in_doubt(self) -> None:
        await asyncio.Event().wait()

    async def taken_over(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        self._writes.stop()
        self._reads.stop()
        self._file.close()

    def _look_up(self, batch: Sequence[Work]) -> Sequence[object]:
        return [self._look_up_one(work) for work in batch]

    def _look_up_one(self, work: Work) -> object:
        try:
            return attempt(self._file.reader, work)
        except sqlite3.Error as error:
            return self._writer.failed(error)
