"""Writing of steps, and of all else, into the file: batches of operations, each batch one transaction."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from protocol.errors import EschatonError
from protocol.ids import MatchId
from server.runtime.crash_points import Mark
from server.store.port import Appended, AppendResult, Conflict, Duplicate, Fence, Fenced, StoreDamaged
from server.store.sqlite import statements
from server.store.sqlite.batch_thread import Failed
from server.store.sqlite.data_file import DataFile
from server.store.sqlite.step_index import IndexDraft, StepRow

Work = Callable[[sqlite3.Connection], object]

MOST_POSITIONS: Final = 10_000

# Errors that the caller's values are to blame for, not the disk: they harm no other operation.
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
    match: MatchId
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
    steps of a batch are one INSERT, and the position of each match is remembered from one batch to the next, since
    nobody else writes this file. Should an operation of a batch fail by its own fault, the batch is rolled back and
    done again one by one, each in a savepoint of its own. The index of steps learns of a batch when it is durable.
    """

    def __init__(self, file: DataFile, mark: Mark) -> None:
        self._file = file
        self._mark = mark
        self._draft = IndexDraft(file.index)
        self._positions: dict[MatchId, statements.MatchPosition] = {}
        self._rows: dict[int, StepRow] = {}
        self._closed: list[tuple[int, str]] = []
        self.commits = 0
        """Number of transactions committed since opening."""

    def commit(self, batch: Sequence[Work]) -> Sequence[object]:
        """Carry out a batch in one transaction: all that succeed are durable when answered; if the disk refuses, none
        is."""
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

    # Operations that need the index of steps

    def append(self, db: sqlite3.Connection, step: Append) -> AppendResult:
        """Append one step by itself."""
        outcome = self._appended(db, step)
        self._insert(db)
        return outcome

    def open_match(self, db: sqlite3.Connection, match: MatchId) -> Fence:
        self._positions.pop(match, None)
        return statements.raise_fence(db, match)

    def delete_match(self, db: sqlite3.Connection, match: MatchId) -> None:
        self._positions.pop(match, None)
        statements.delete_match(db, self._draft, match)

    def put_snapshot(self, db: sqlite3.Connection, match: MatchId, version: int, data: bytes) -> bool:
        return statements.put_snapshot(db, self._draft, match, version, data)

    # A batch together: the usual way

    def _together(self, db: sqlite3.Connection, batch: Sequence[Work]) -> Sequence[object]:
        """Carry out a batch together.

        Raises _Spoiled where an operation is itself to blame, and sqlite3.Error where the file is.
        """
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
        """Return the outcome of a step, which is inserted later with the others."""
        position = self._positions.get(step.match)
        if position is None:
            position = self._position(db, step.match)
        if position is None or position.fence != step.fence:
            return Fenced(0 if position is None else position.fence.counter)
        if position.number in self._rows:  # whose cause is in the draft when it is inserted
            self._insert(db)
        made = self._draft.row_of(position.number, step.cause)
        if made is not None:
            version = statements.version_at(db, position.number, made)
            if version is None:
                raise StoreDamaged(f"A step of match {step.match} is gone from the file. Restore it from a copy.")
            return Duplicate(version)
        if position.version != step.expected:
            return Conflict(position.version)
        position.version += 1
        row = statements.step_row(self._draft.new_row(), position.number, position.version, step.cause, step.step)
        self._rows[position.number] = row
        if step.closes is not None:
            self._closed.append((position.number, step.closes))
        return Appended(position.version)

    def _position(self, db: sqlite3.Connection, match: MatchId) -> statements.MatchPosition | None:
        position = statements.position_of(db, self._draft, match)
        if position is not None:
            if len(self._positions) >= MOST_POSITIONS:
                self._insert(db)  # what is forgotten is looked up in the draft
                self._positions.clear()
            self._positions[match] = position
        return position

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
        self._positions.clear()
        self._rows, self._closed = {}, []

    # A batch one by one

    def _one_by_one(self, db: sqlite3.Connection, batch: Sequence[Work]) -> Sequence[object]:
        return [self._alone(db, work) for work in batch]

    def _alone(self, db: sqlite3.Connection, work: Work) -> object:
        """Carry out one operation of a batch, which rolls back only itself if its values or a bug make it fail."""
        db.execute("SAVEPOINT operation")
        outcome = attempt(db, work)
        if isinstance(outcome, Failed):
            self._forget()
            db.execute("ROLLBACK TO operation")
        db.execute("RELEASE operation")
        return outcome

    def failed(self, error: Exception) -> Failed:
        """Return the outcome of an operation that the file is to blame for."""
        failure = self._file.explain(error)
        failure.__cause__ = error
        return Failed(failure)


class _Spoiled(EschatonError):
    """An operation of a batch that has failed by its own fault."""


def attempt(db: sqlite3.Connection, work: Work) -> object:
    """Return what `work` returns, or Failed if it is itself to blame. Raises sqlite3.Error if the file is."""
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
