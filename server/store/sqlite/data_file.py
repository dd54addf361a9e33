"""The SQLite file itself: its lock, its set-up and migrations, and the meaning of its errors."""

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from importlib import resources
from pathlib import Path

from server.store.file_lock import lock_beside
from server.store.port import StoreDamaged, StoreError, StoreInUse, StoreTooNew, StoreUnavailable
from server.store.sqlite.step_index import StepIndex, is_damage

APPLICATION_ID = 0x45534348  # "ESCH", in the file's header
BUSY_SECONDS = 5.0

MIGRATIONS = tuple(resources.files(__package__).joinpath(f"version_{n}.sql").read_text("utf-8") for n in range(1, 6))
"""One script a version; a script that has been released is never changed, the next one is added."""

_SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk that holds {path} is full; nothing was stored. Free some space and try again.",
    sqlite3.SQLITE_IOERR: "The disk that holds {path} reports an error ({error}); nothing was stored.",
    sqlite3.SQLITE_READONLY: "{path} may only be read ({error}); nothing was stored. Give the server leave to write.",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened. Check that its folder exists and may be written.",
    sqlite3.SQLITE_BUSY: "Another program holds {path}; nothing was stored. Close it and try again.",
    sqlite3.SQLITE_PERM: "{path} may not be opened by this user.",
}


class DataFile:
    """The data file at `path`, made if it is not there, held against other servers until closed.

    Blocks on the disk; opened once, when a server starts. Raises StoreInUse, StoreDamaged (not ours, or broken),
    StoreUnavailable (cannot be opened; StoreTooNew: was written by a newer program).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.migrated_from: int | None = None
        """Version that the file had, where it was brought up to date."""
        self._create()
        with ExitStack() as opened:
            opened.enter_context(closing(self._take_lock()))
            try:
                self.writer = opened.enter_context(closing(self._connect()))
                self._check_owner()
                self._set_up()
                self._migrate()
                self.index = StepIndex.of(self.writer)
                self.reader = opened.enter_context(closing(self._connect()))
                self.reader.execute("PRAGMA query_only = ON")
            except sqlite3.Error as error:
                raise self.explain(error) from error
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Close all, the lock last. May be called again."""
        self._opened.close()

    def explain(self, error: Exception) -> StoreError:
        """Return the port's error for a driver's error that no single operation is to blame for."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if isinstance(error, sqlite3.Error) and is_damage(error):
            return StoreDamaged(f"{self.path} is damaged or not a data file ({error}). Restore it from a copy.")
        sentence = _SENTENCES.get(code, "{path} cannot be used ({error}); nothing was stored.")
        return StoreUnavailable(sentence.format(path=self.path, error=error))

    def _create(self) -> None:
        """Make folder and file readable by their owner alone: the file holds secrets of matches and tokens."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise StoreUnavailable(f"{self.path} cannot be made ({error.strerror}).") from error

    def _take_lock(self) -> sqlite3.Connection:
        try:
            lock = lock_beside(self.path)
        except sqlite3.Error as error:
            raise self.explain(error) from error
        if lock is None:
            raise StoreInUse(f"Another server is using {self.path}. Stop it, or choose another data folder.")
        return lock

    def _connect(self) -> sqlite3.Connection:
        # Each connection is used by one thread at a time, but not by the one that opens it.
        return sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)

    def _check_owner(self) -> None:
        """Refuse an existing file that is not ours, or newer than this program, before anything is changed."""
        owner, version = self._number("application_id"), self._number("user_version")
        empty = self.writer.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if owner != APPLICATION_ID and not (empty and owner == version == 0):
            raise StoreDamaged(f"{self.path} belongs to another program. Choose another data folder.")
        if version > len(MIGRATIONS):
            raise StoreTooNew(f"{self.path} was written by a newer Eschaton. Update this one to open it.")

    def _set_up(self) -> None:
        """Set what durability rests on, and read it back: SQLite ignores silently what it cannot do."""
        wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
        for name, value in wanted.items():
            self.writer.execute(f"PRAGMA {name} = {value}")
            if (found := self._pragma(name)) != value:
                raise StoreUnavailable(
                    f"{self.path} cannot be kept safely here ({name} is {found}, not {value}). Use a local disk."
                )
        # Only macOS knows these: there a plain sync stops at the drive's own cache.
        self.writer.execute("PRAGMA fullfsync = ON")
        self.writer.execute("PRAGMA checkpoint_fullfsync = ON")

    def _migrate(self) -> None:
        if 0 < (found := self._number("user_version")) < len(MIGRATIONS):
            self.migrated_from = found
        for version, script in enumerate(MIGRATIONS, start=1):
            if version > self._number("user_version"):
                self.writer.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {version}; COMMIT;")

    def _number(self, pragma: str) -> int:
        return int(self._pragma(pragma))

    def _pragma(self, name: str) -> int | str:
        value: int | str = self.writer.execute(f"PRAGMA {name}").fetchone()[0]
        return value
