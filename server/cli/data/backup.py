"""`eschaton-server backup` and `restore`: a folder that holds all of a host as it was at one moment.

A backup holds the database, the folders of the data folder, the present and former host keys where that was asked for,
and `manifest.json`: {"format", "made", "program", "keys", "matches", "steps", "files": {path: {"bytes", "sha256"}}}.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

import msgspec

from server.cli.data.command_inputs import database
from server.runtime.backup_mark import mark_backup
from server.runtime.errors import CommandError
from server.runtime.former_keys import FORMER, KEY
from server.runtime.version import program_version
from server.store.host_keys import SEALING_KEY
from server.store.port import StoreError
from server.store.sqlite.reader import SqliteReader

FORMAT: Final = 1
DATABASE: Final = "eschaton.db"
KEYS: Final = (SEALING_KEY, KEY)
FOLDERS: Final = ("replays", "archive", "content")
MANIFEST: Final = "manifest.json"
PART: Final = 1 << 20


class BackupFile(msgspec.Struct, frozen=True):
    """Size and digest of a file of a backup. `sha256` in hex."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """Description of a backup, stored in it. `made`: Unix seconds."""

    format: int
    made: int
    program: str
    keys: bool
    matches: int
    steps: int
    files: dict[str, BackupFile]


def back_up(data: Path, target: Path, place: str = "", *, keys: bool) -> Manifest:
    """Copy a host's data folder into the new folder `target`, whole or not at all. The host may be running.

    Files are copied before the database, which is copied as it is at one moment, and those that are new or other since
    then after it: a file is written before the database names it, and removed after it does no more. Raises
    CommandError.
    """
    source = database(data, place)
    must_be_empty(target)
    fresh = staging_folder(target)
    try:
        return _copy_out(data, source, target, fresh, keys=keys)
    except (StoreError, OSError) as problem:
        raise CommandError(f"No backup was made: {problem}", 1) from problem
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _copy_out(data: Path, source: Path, target: Path, fresh: Path, *, keys: bool) -> Manifest:
    others = _OtherFiles(data, fresh, keys=keys)
    others.copy()
    reader = SqliteReader(source)
    try:
        reader.copy_to(fresh / DATABASE)
    finally:
        reader.shut()
    others.copy()
    matches, steps = _checked(fresh / DATABASE)
    files = {DATABASE: _weigh(fresh / DATABASE), **others.copied}
    manifest = Manifest(FORMAT, int(time.time()), program_version(), keys, matches, steps, files)
    _write(fresh / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    move_into_place(fresh, target)
    return manifest


class _OtherFiles:
    """Files beside the database, copied from a data folder that may change meanwhile. `copied`: by name."""

    def __init__(self, data: Path, fresh: Path, *, keys: bool) -> None:
        self.copied: dict[str, BackupFile] = {}
        self._data = data
        self._fresh = fresh
        self._keys = keys
        self._seen: dict[str, tuple[int, int, int]] = {}

    def copy(self) -> None:
        """Copy all files that are not copied as they are now; what has gone meanwhile stays as it was copied. Raises
        CommandError, OSError."""
        for name in _others(self._data, keys=self._keys):
            with suppress(FileNotFoundError):
                found = (self._data / name).stat()
                version = found.st_ino, found.st_mtime_ns, found.st_size
                if self._seen.get(name) != version:
                    self.copied[name] = _copy(self._data / name, self._fresh / name)
                    self._seen[name] = version


def restore(source: Path, data: Path) -> Manifest:
    """Make a data folder of a backup, in an empty or new folder. Everything is checked before anything appears.

    Raises CommandError naming the file that is missing, changed or damaged.
    """
    must_be_empty(data)
    manifest = _read_manifest(source / MANIFEST)
    fresh = staging_folder(data)
    try:
        for name, wanted in manifest.files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or "\\" in name:
                raise CommandError(f"The backup names a file outside of it: {name!r}.", 1)
            if _copy(source / name, fresh / name) != wanted:
                raise CommandError(f"The backup is not as it was made: {name} has changed. Nothing was restored.", 1)
        found = _checked(fresh / DATABASE)
        if found != (manifest.matches, manifest.steps):
            raise CommandError(f"{DATABASE} holds {found[0]} matches and {found[1]} steps, not what was backed up.", 1)
        move_into_place(fresh, data)
    except (StoreError, OSError) as problem:
        raise CommandError(f"Nothing was restored: {problem}", 1) from problem
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return manifest


def must_be_empty(folder: Path) -> None:
    """Raise CommandError where a folder holds anything at all."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(f"{folder} is not empty. Name a new folder; nothing is ever overwritten.")


def staging_folder(target: Path) -> Path:
    """Make a folder beside `target`, of this process alone, to be filled before it appears. Raises CommandError."""
    fresh = target.absolute().with_name(f".{target.name}.{os.getpid()}.part")
    try:
        fresh.mkdir(mode=0o700, parents=True)
    except OSError as problem:
        raise CommandError(f"{target.parent} cannot be written: {problem.strerror}", 1) from problem
    return fresh


def move_into_place(fresh: Path, target: Path) -> None:
    """Move the finished folder to `target`, all at once, with all of it on the disk."""
    if target.exists():
        target.rmdir()
    if hasattr(os, "sync"):
        os.sync()
    fresh.replace(target)
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(target.absolute().parent, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _others(data: Path, *, keys: bool) -> Iterator[str]:
    for name in KEYS if keys else ():
        if not (data / name).is_file():
            raise CommandError(f"There is no host key {name} in {data}.", 1)
        yield name
    if keys and (data / FORMER).is_file():
        yield FORMER
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(data).as_posix()


def _checked(database: Path) -> tuple[int, int]:
    """Return how many matches and steps a copy holds, once SQLite has found it whole. Raises CommandError,
    StoreError."""
    reader = SqliteReader(database)
    try:
        if problems := reader.problems():
            raise CommandError(f"{database.name} is damaged: {problems[0]}", 1)
        return reader.counts()
    finally:
        reader.shut()
        for leftover in ("-wal", "-shm"):
            database.with_name(database.name + leftover).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> BackupFile:
    """Copy a file, for its owner only and in place of an earlier copy, and return its size and digest."""
    digest, size = hashlib.sha256(), 0
    with source.open("rb", buffering=0) as origin:
        target.unlink(missing_ok=True)
        with _made(target) as copy:
            while part := origin.read(PART):
                digest.update(part)
                size += len(part)
                copy.write(part)
            _settle(copy)
    return BackupFile(size, digest.hexdigest())


def _made(path: Path) -> IO[bytes]:
    """Open a new file for its owner only, and make the folders that lead to it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.fdopen(os.open(path, flags, 0o600), "wb")
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True)
        return os.fdopen(os.open(path, flags, 0o600), "wb")


def _settle(file: IO[bytes]) -> None:
    """Sync a file, unless `move_into_place` can sync all at once, which is ten times as quick."""
    if not hasattr(os, "sync"):
        file.flush()
        os.fsync(file.fileno())


def _weigh(path: Path) -> BackupFile:
    with path.open("rb+") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        _settle(file)
    path.chmod(0o600)
    return BackupFile(path.stat().st_size, digest)


def _write(path: Path, data: bytes) -> None:
    with _made(path) as file:
        file.write(data)
        _settle(file)


def _read_manifest(path: Path) -> Manifest:
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as problem:
        raise CommandError(f"{path.parent} is no backup: {path.name} cannot be read.", 1) from problem
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise CommandError(f"{path} is damaged: {problem}", 1) from problem
    if manifest.format != FORMAT:
        raise CommandError(f"{path.parent} was made by another version of this program.", 1)
    return manifest


def run_backup(data: Path, place: str, target: Path, *, keys: bool) -> int:
    """Run the command `backup`. Raises CommandError."""
    made = back_up(data, target, place, keys=keys)
    try:
        mark_backup(data)
    except OSError as problem:
        print(f"The backup is made, but the server does not learn of it: {problem}", file=sys.stderr)
    print(json.dumps({"event": "backed-up", "into": str(target), **_figures(made)}))
    return 0


def run_restore(source: Path, data: Path) -> int:
    """Run the command `restore`. Raises CommandError."""
    made = restore(source, data)
    print(json.dumps({"event": "restored", "into": str(data), **_figures(made)}))
    return 0


def _figures(made: Manifest) -> dict[str, Any]:
    size = sum(file.bytes for file in made.files.values())
    return {"matches": made.matches, "steps": made.steps, "files": len(made.files), "bytes": size, "keys": made.keys}
