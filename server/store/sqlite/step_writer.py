"""What the store's writing thread does: batches of operations, each batch one transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from protocol.errors import EschatonError
from server.runtime.crash_points import Mark
from server.store.port import Appended, AppendResult, Conflict, Duplicate, Fence, Fenced, StoreDamaged
from server.store.sqlite import statements
from server.store.sqlite.batch_thread import Failed
from server.store.sqlite.data_file import DataFile
from server.store.sqlite.step_index import IndexDraft, StepRow

Work = Callable[[sqlite3.Connection], object]

MOST_HEADS: Final = 10_000

# The caller's values are to blame for these, not the disk: they harm no other operation.
REFUSED_VALUES: Final = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    UnicodeError,
)


class Append(msgspec.Struct, frozen=True):
    """A step to be appended; see Store.append."""

    writer: "StepWriter"
    match: str
    fence: Fence
    cause: bytes
    expected: int
    step: bytes
    closes: str | None

    def __call__(self, db: sqlite3.Connection) -> AppendResult:
        return self.writer.append(db, self)


class StepWriter:
    """The writing end of a data file. All of it is used by one thread at a time.

    Statements are dear: at every end of one the thread has to win the interpreter back from the event loop. So the
    steps of a batch are one INSERT, and where each match stands is remembered from one batch to the next, since nobody
    else writes this file. Should anything in a batch fail by its own fault, the batch is taken back and done again one
    by one, each in a savepoint of its own. The index of steps learns of a batch when it is durable.
    """

    def __init__(self, file: DataFile, mark: Mark) -> None:
        self._file = file
        self._mark = mark
        self._draft = IndexDraft(file.index)
        self._heads: dict[str, statements.MatchPosition] = {}
        self._rows: dict[int, StepRow] = {}
        self._closed: list[tuple[int, str]] = []
        self.commits = 0
        """Transactions committed since opening."""

    def commit(self, batch: Sequence[Work]) -> Sequence[object]:
        """All of a batch in one transaction: whoever is answered is durable; if the disk refuses, nobody is."""
        try:
            return self._transaction(batch, self._together)
        except _Spoiled:
            return self._transaction(batch, self._one_by_one)

    def _transaction(
        self, batch: Sequence[Work], perform: Callable[[sqlite3.Connection, Sequence[Work]], Sequence[object]]
    ) -> Sequence[object]:
        db = self._file.writer
        try:
            db.execute("BEGIN IMMEDIATE")
            self._mark("begun")
            outcomes = perform(db, batch)
            self._mark("executed")
            db.execute("COMMIT")
        except (sqlite3.Error, MemoryError, _Spoiled) as error:
            self._forget()
            self._draft.clear()
            with suppress(sqlite3.Error):  # after some errors SQLite has rolled back by itself
                db.execute("ROLLBACK")
            if isinstance(error, _Spoiled):
                raise
            return [self.failed(error) for _ in batch]
        self._draft.settle()
        self.commits += 1
        self._mark("committed")
        return outcomes

    # What has to know where steps lie

    def append(self, db: sqlite3.Connection, step: Append) -> AppendResult:
        """One step by itself."""
        outcome = self._appended(db, step)
        self._insert(db)
        return outcome

    def open_match(self, db: sqlite3.Connection, match: str) -> Fence:
        self._heads.pop(match, None)
        return statements.raise_fence(db, match)

    def delete_match(self, db: sqlite3.Connection, match: str) -> None:
        self._heads.pop(match, None)
        statements.delete_match(db, self._draft, match)

    def put_snapshot(self, db: sqlite3.Connection, match: str, version: int, data: bytes) -> bool:
        return statements.put_snapshot(db, self._draft, match, version, data)

    # The usual way

    def _together(self, db: sqlite3.Connection, batch: Sequence[Work]) -> Sequence[object]:
        """Raises _Spoiled where an operation is itself to blame, and sqlite3.Error where the file is."""
        try:
            outcomes = [
                self._appended(db, work) if isinstance(work, Append) else self._done(db, work) for work in batch
            ]
            self._insert(db)
        except REFUSED_VALUES as error:
            raise _Spoiled from error
        except (sqlite3.Error, MemoryError):
            raise
        except Exception as error:
            raise _Spoiled from error
        return outcomes

    def _appended(self, db: sqlite3.Connection, step: Append) -> AppendResult:
        """What becomes of a step, which is itself inserted with the others."""
        head = self._heads.get(step.match)
        if head is None:
            head = self._head(db, step.match)
        if head is None or head.fence != step.fence:
            return Fenced(0 if head is None else head.fence.counter)
        if head.number in self._rows:  # whose cause is in the draft when it is inserted
            self._insert(db)
        made = self._draft.row_of(head.number, step.cause)
        if made is not None:
            version = statements.version_at(db, head.number, made)
            if version is None:
                raise StoreDamaged(f"A step of match {step.match} is gone from the file. Restore it from a copy.")
            return Duplicate(version)
        if head.version != step.expected:
            return Conflict(head.version)
        head.version += 1
        row = statements.step_row(self._draft.new_row(), head.number, head.version, step.cause, step.step)
        self._rows[head.number] = row
        if step.closes is not None:
            self._closed.append((head.number, step.closes))
        return Appended(head.version)

    def _head(self, db: sqlite3.Connection, match: str) -> statements.MatchPosition | None:
        head = statements.head_of(db, self._draft, match)
        if head is not None:
            if len(self._heads) >= MOST_HEADS:
                self._insert(db)  # what is forgotten is looked up in the draft
                self._heads.clear()
            self._heads[match] = head
        return head

    def _done(self, db: sqlite3.Connection, work: Work) -> object:
        self._insert(db)
        return work(db)

    def _insert(self, db: sqlite3.Connection) -> None:
        """Insert the steps that have gathered, and drop the answers of the questions that they close."""
        rows, self._rows = self._rows.values(), {}
        closed, self._closed = self._closed, []
        if rows:
            statements.insert_steps(db, rows)
            self._mark("inserted")
        if closed:
            statements.drop_answers(db, closed)
            self._mark("answers-dropped")
        for row, number, version, cause, _, _ in rows:
            self._draft.add(row, number, version, cause)

    def _forget(self) -> None:
        self._heads.clear()
        self._rows, self._closed = {}, []

    # The plain way

    def _one_by_one(self, db: sqlite3.Connection, batch: Sequence[Work]) -> Sequence[object]:
        return [self._alone(db, work) for work in batch]

    def _alone(self, db: sqlite3.Connection, work: Work) -> object:
        """One operation of a batch, which takes back only itself if its values or a bug make it fail."""
        db.execute("SAVEPOINT operation")
        outcome = attempt(db, work)
        if isinstance(outcome, Failed):
            self._forget()
            db.execute("ROLLBACK TO operation")
        db.execute("RELEASE operation")
        return outcome

    def failed(self, error: Exception) -> Failed:
        """The outcome of an operation that the file is to blame for."""
        failure = self._file.explain(error)
        failure.__cause__ = error
        return Failed(failure)


class _Spoiled(EschatonError):
    """Something in a batch has failed by its own fault."""


def attempt(db: sqlite3.Connection, work: Work) -> object:
    """What `work` returns, or Failed if it is itself to blame. Raises sqlite3.Error if the file is."""
    try:
        return work(db)
    except REFUSED_VALUES as error:
        refusal = ValueError(f"this cannot be stored: {error}")
        refusal.__cause__ = error
        return Failed(refusal)
    except sqlite3.Error:
        raise
    except Exception as error:  # noqa: BLE001 - whatever `work` raises by itself is its own fault
        return Failed(error)
