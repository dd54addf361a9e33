"""Read-only view of a data file as it was at one moment, beside the server that is writing it. Changes nothing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, TypeVar

from protocol.ids import MatchId
from server.runtime.clock import unix_milliseconds
from server.store import port
from server.store.sqlite import record_statements, statements
from server.store.sqlite.data_file import APPLICATION_ID, MIGRATIONS
from server.store.sqlite.step_index import StepIndex, is_damage

T = TypeVar("T")

PROBLEMS: Final = 20
"""Most lines of SQLite's own check that are reported."""


class ReadableStore(Protocol):
    """The reading part of the port, as far as the operator's commands need it."""

    async def matches(self) -> list[MatchId]: ...

    async def kinds(self) -> list[str]: ...

    async def page(
        self, kind: str, after: str | None = None, limit: int = port.PAGE_RECORDS
    ) -> list[port.KeptRecord]: ...

    async def find_record(self, kind: str, key: str) -> port.KeptRecord | None: ...

    async def newest_lines(self, name: str, most: int) -> list[port.Line]: ...

    async def read(self, match: MatchId, after: int = 0) -> list[port.LogEntry]: ...

    async def sealed(self, match: MatchId) -> list[port.SealedAnswer]: ...

    async def snapshot(self, match: MatchId) -> port.MatchSnapshot | None: ...

    async def close(self) -> None: ...


class SqliteReader:
    """The reading part of the port over one snapshot of the file at `path`, taken when it is opened.

    `is_still`: nobody has it open, so that no file need be made beside it. Raises StoreUnavailable where it cannot be
    read, StoreTooNew where it is of a newer program, StoreDamaged where it is not ours.
    """

    def __init__(self, path: Path, *, is_still: bool = False) -> None:
        self._path = path
        if not path.is_file():
            raise port.StoreUnavailable(f"There is no data file at {path}.")
        how = "immutable=1" if is_still else "mode=ro"
        self._db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, timeout=5)
        try:
            # the first read begins the snapshot that all others see
            self._db.execute("BEGIN")
            owner = self._db.execute("PRAGMA application_id").fetchone()[0]
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            self._db.close()
            if is_damage(error):
                raise port.StoreDamaged(f"{path} is damaged or not a data file ({error}).") from error
            raise port.StoreUnavailable(f"{path} cannot be read ({error}).") from error
        self._index: StepIndex | None = None
        self._is_former = version <= record_statements.FORMER_VERSION
        if owner != APPLICATION_ID or version > len(MIGRATIONS):
            self._db.close()
            if owner != APPLICATION_ID:
                raise port.StoreDamaged(f"{path} belongs to another program.")
            raise port.StoreTooNew(f"{path} was written by a newer Eschaton. Update this one to read it.")

    def problems(self) -> list[str]:
        """Return what SQLite's own check of the whole file and the records' checksums find; empty where all is well.

        Blocks: about 0.3 s for 100 MB.
        """
        try:
            rows = self._db.execute(f"PRAGMA integrity_check({PROBLEMS})").fetchall()
            return [str(row[0]) for row in rows if row[0] != "ok"] + list(statements.damages(self._db))
        except sqlite3.Error as error:
            return [str(error)]

    def copy_to(self, path: Path) -> None:
        """Write all that the file holds now into a new file. Blocks. Raises StoreUnavailable."""
        copy = sqlite3.connect(path)
        try:
            # all pages at once: in parts it would begin again whenever the server writes
            self._db.execute("COMMIT")
            self._db.backup(copy)
        except sqlite3.Error as error:
            raise port.StoreUnavailable(f"{self._path} could not be copied to {path} ({error}).") from error
        finally:
            copy.close()

    def counts(self) -> tuple[int, int]:
        """Return how many matches have steps, and how many steps there are."""
        row = self._db.execute("SELECT count(DISTINCT match), count(*) FROM steps").fetchone()
        return int(row[0]), int(row[1])

    async def matches(self) -> list[MatchId]:
        return self._asked(lambda: statements.matches(self._db, self._steps()))

    async def kinds(self) -> list[str]:
        if self._is_former:
            return self._asked(lambda: record_statements.former_kinds(self._db))
        return self._asked(lambda: record_statements.kinds(self._db, unix_milliseconds()))

    async def page(self, kind: str, after: str | None = None, limit: int = port.PAGE_RECORDS) -> list[port.KeptRecord]:
        port.check_page(kind, after, limit)
        if self._is_former:
            return self._asked(lambda: record_statements.former_page(self._db, kind, after, limit))
        return self._asked(lambda: record_statements.page(self._db, kind, after, limit, unix_milliseconds()))

    async def find_record(self, kind: str, key: str) -> port.KeptRecord | None:
        self._check_present()
        return self._asked(lambda: record_statements.find_record(self._db, kind, key, unix_milliseconds()))

    async def newest_lines(self, name: str, most: int) -> list[port.Line]:
        self._check_present()
        return self._asked(lambda: record_statements.newest_lines(self._db, name, most))

    def _check_present(self) -> None:
        """Raise StoreUnavailable for a file of FORMER_VERSION or before, which has no lines."""
        if self._is_former:
            raise port.StoreUnavailable(f"{self._path} is of an older Eschaton: start the server once to bring it up.")

    async def read(self, match: MatchId, after: int = 0) -> list[port.LogEntry]:
        return self._asked(lambda: statements.read(self._db, self._steps(), match, after, None))

    async def sealed(self, match: MatchId) -> list[port.SealedAnswer]:
        return self._asked(lambda: statements.sealed(self._db, match))

    async def snapshot(self, match: MatchId) -> port.MatchSnapshot | None:
        return self._asked(lambda: statements.snapshot(self._db, match))

    def _steps(self) -> StepIndex:
        if self._index is None:
            self._index = StepIndex.of(self._db)
        return self._index

    async def close(self) -> None:
        self.shut()

    def shut(self) -> None:
        """Release the file. May be called again."""
        self._db.close()

    def _asked(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except sqlite3.Error as error:
            raise port.StoreDamaged(f"{self._path} cannot be read any further ({error}).") from error
