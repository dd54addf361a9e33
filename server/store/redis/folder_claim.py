"""Name of a data folder, by which a store in Redis knows its server, and the lock that one server holds on the
folder."""

from __future__ import annotations

import os
import secrets
import sqlite3
from pathlib import Path
from typing import Final

from server.store.file_lock import lock_beside
from server.store.port import StoreInUse, StoreUnavailable

FILE: Final = "holder"
NAME_BYTES: Final = 16


class FolderClaim:
    """A data folder, held against other servers until `close`, and the name that it keeps from start to start.

    A copy of the folder gets another name: the file holds its own inode number beside the name. Raises StoreInUse where
    another process holds the folder, StoreUnavailable where it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = lock_beside(path)
        except (OSError, sqlite3.Error) as problem:
            raise StoreUnavailable(f"{path}.lock cannot be used ({problem}).") from problem
        if lock is None:
            raise StoreInUse(f"Another server is using the data folder {folder}. Stop it, or choose another one.")
        self._lock = lock
        try:
            self.name = _read_name(path) or _write_name(path)
        except OSError as problem:
            lock.close()
            raise StoreUnavailable(f"{path} cannot be used ({problem.strerror}).") from problem

    def close(self) -> None:
        """Release the folder. May be called again."""
        self._lock.close()


def _read_name(path: Path) -> str:
    """Return the name in this file; empty where there is none, or the file is a copy."""
    try:
        name, _, number = path.read_text("ascii").strip().partition(" ")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""
    return name if number == str(path.stat().st_ino) else ""


def _write_name(path: Path) -> str:
    """Write a new name to this file, and return it."""
    name = secrets.token_hex(NAME_BYTES)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{name} {os.fstat(file.fileno()).st_ino}\n")
        file.flush()
        os.fsync(file.fileno())
    return name
