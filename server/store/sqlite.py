"""The store in one SQLite file: WAL, every commit synced, commits shared by all matches.

One thread writes and one reads, each with its own connection, so the event loop never waits for the disk
and a reader never waits for a sync. What was asked while a commit ran goes into the next one.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from server.marks import Mark, unmarked
from server.store import statements
from server.store.datafile import DataFile
from server.store.lane import Failed, Lane
from server.store.port import AppendResult, Fence, Record, SealedAnswer, SealResult, Snapshot, StoredStep, check_cause

Work = Callable[[sqlite3.Connection], object]

WAITING_OPERATIONS: Final = 10_000

# The caller's values are to blame for these, not the disk: they harm no other operation.
_REFUSED_VALUES = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    UnicodeError,
)


class SqliteStore:
    """The store port on the file at `path`; see DataFile for what opening it does and raises.

    limit: operations that may wait, for each thread; beyond it they are refused as busy.
    mark: is told, in the writing thread, how far a transaction has come.
    """

    def __init__(self, path: Path, *, limit: int = WAITING_OPERATIONS, mark: Mark = unmarked) -> None:
        self._mark = mark
        self._file = DataFile(path)
        self._writes: Lane[sqlite3.Connection] = Lane("store-writer", limit, self._commit)
        self._reads: Lane[sqlite3.Connection] = Lane("store-reader", limit, self._look_up)
        self._commits = 0

    @property
    def commits(self) -> int:
        """Transactions committed since opening: with many matches far fewer than operations."""
        return self._commits

    async def open_match(self, match: str) -> Fence:
        return await self._writes.submit(lambda db: statements.raise_fence(db, match))

    async def append(
        self, match: str, fence: Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> AppendResult:
        check_cause(cause)
        return await self._writes.submit(
            lambda db: statements.append(db, match, fence, cause, expected, step, closes, self._mark)
        )

    async def seal(self, match: str, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes) -> SealResult:
        check_cause(cause)
        return await self._writes.submit(lambda db: statements.seal(db, match, fence, question, seat, cause, answer))

    async def sealed(self, match: str) -> list[SealedAnswer]:
        return await self._reads.submit(lambda db: statements.sealed(db, match))

    async def read(self, match: str, after: int = 0) -> list[StoredStep]:
        return await self._reads.submit(lambda db: statements.read(db, match, after))

    async def version(self, match: str) -> int:
        return await self._reads.submit(lambda db: statements.version(db, match))

    async def find(self, match: str, cause: bytes) -> int | None:
        return await self._reads.submit(lambda db: statements.find(db, match, cause))

    async def put_snapshot(self, match: str, version: int, data: bytes) -> bool:
        return await self._writes.submit(lambda db: statements.put_snapshot(db, match, version, data))

    async def snapshot(self, match: str) -> Snapshot | None:
        return await self._reads.submit(lambda db: statements.snapshot(db, match))

    async def delete_match(self, match: str) -> None:
        await self._writes.submit(lambda db: statements.delete_match(db, match))

    async def matches(self) -> list[str]:
        return await self._reads.submit(statements.matches)

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        await self.put_records((Record(kind, key, data),))

    async def put_records(self, records: Iterable[Record]) -> None:
        batch = tuple(records)
        await self._writes.submit(lambda db: statements.put_records(db, batch))

    async def get_record(self, kind: str, key: str) -> bytes | None:
        return await self._reads.submit(lambda db: statements.get_record(db, kind, key))

    async def records(self, kind: str) -> dict[str, bytes]:
        return await self._reads.submit(lambda db: statements.records(db, kind))

    async def kinds(self) -> list[str]:
        return await self._reads.submit(statements.kinds)

    async def delete_record(self, kind: str, key: str) -> None:
        await self._writes.submit(lambda db: statements.delete_record(db, kind, key))

    async def in_doubt(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        self._writes.stop()
        self._reads.stop()
        self._file.close()

    def _commit(self, batch: Sequence[Work]) -> Sequence[object]:
        """All of a batch in one transaction: whoever is answered is durable; if the disk refuses, nobody is."""
        db = self._file.writer
        try:
            db.execute("BEGIN IMMEDIATE")
            self._mark("begun")
            outcomes = [self._alone(db, work) for work in batch]
            self._mark("executed")
            db.execute("COMMIT")
        except (sqlite3.Error, MemoryError) as error:
            with suppress(sqlite3.Error):  # after some errors SQLite has rolled back by itself
                db.execute("ROLLBACK")
            return [self._failed(error) for _ in batch]
        self._commits += 1
        self._mark("committed")
        return outcomes

    def _alone(self, db: sqlite3.Connection, work: Work) -> object:
        """One operation of a batch, which takes back only itself if its values or a bug make it fail."""
        db.execute("SAVEPOINT operation")
        outcome = self._attempt(db, work)
        if isinstance(outcome, Failed):
            db.execute("ROLLBACK TO operation")
        db.execute("RELEASE operation")
        return outcome

    def _look_up(self, batch: Sequence[Work]) -> Sequence[object]:
        return [self._look_up_one(work) for work in batch]

    def _look_up_one(self, work: Work) -> object:
        try:
            return self._attempt(self._file.reader, work)
        except sqlite3.Error as error:
            return self._failed(error)

    def _attempt(self, db: sqlite3.Connection, work: Work) -> object:
        """What `work` returns, or Failed if it is itself to blame. Raises sqlite3.Error if the file is."""
        try:
            return work(db)
        except _REFUSED_VALUES as error:
            refusal = ValueError(f"this cannot be stored: {error}")
            refusal.__cause__ = error
            return Failed(refusal)
        except sqlite3.Error:
            raise
        except Exception as error:
            return Failed(error)

    def _failed(self, error: Exception) -> Failed:
        failure = self._file.explain(error)
        failure.__cause__ = error
        return Failed(failure)
