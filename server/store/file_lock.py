"""A lock on a file that one process holds at a time, on every system, and that falls with its process."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def lock_beside(path: Path) -> sqlite3.Connection | None:
    """Take SQLite's own file lock on PATH.lock; return None where another process holds it.

    Closing the returned connection releases the lock. Raises sqlite3.Error.
    """
    name = path.with_name(path.name + ".lock")
    lock = sqlite3.connect(name, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA journal_mode = MEMORY")  # nothing is ever written: no third file for it
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            return None
        raise
    return lock
