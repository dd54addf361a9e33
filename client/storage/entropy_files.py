"""Entropy chains of a profile: a file for each match, for its owner alone, written and synced before a link is opened.

A file is msgpack of [version 1, match, H_1, seed, key, round, version, head] (`OwnChain`); its name follows from the
host's key, the match and H_1, so that two histories that begin differently never share a chain. The name also counts
how often the file was written: no two windows of a profile can both write the same number, and so none opens a link
beside what the other has opened.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from client.storage.oldest_files import oldest_beyond
from protocol.fairness.contributor import OwnEntropyChain
from protocol.ids import MatchId
from protocol.proof.dice import joined

MOST_FILES: Final = 100
SUFFIX: Final = ".entropy"
_LAYOUT: Final = 1


_File = tuple[int, MatchId, bytes, bytes, bytes, int, int, bytes]
"""Content of a file, written as msgpack: its layout, then the fields of a chain."""


class EntropyFiles:
    """Chains in one folder; of more than MOST_FILES the oldest go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, host: bytes, match: MatchId, origin: bytes) -> OwnEntropyChain | None:
        """Return what was saved last; None where there is nothing, or nothing that can be read."""
        number, name = self._newest(host, match, origin)
        return self._read(self._path(name, number), match, origin)

    def save(self, host: bytes, chain: OwnEntropyChain, before: OwnEntropyChain | None) -> bool:
        """Keep this, whole and on the disk when it returns; False where something else than `before` was kept by now.
        Raises OSError."""
        place = host, chain.match, chain.origin
        number, name = self._newest(*place)
        if self._read(self._path(name, number), chain.match, chain.origin) != before:
            return False
        self._folder.mkdir(parents=True, exist_ok=True)
        if not number:
            for oldest in oldest_beyond(self._folder, SUFFIX, MOST_FILES):
                self._remove(oldest)
        try:
            fresh = msgspec.msgpack.encode((_LAYOUT, *msgspec.structs.astuple(chain)))
            _write(self._path(name, number + 1), fresh)
        except FileExistsError:
            return False
        _sync_folder(self._folder)
        # a window held up between its look and its writing may have taken a number that was used and removed
        if self._newest(*place)[0] != number + 1:
            self._remove(self._path(name, number + 1))
            return False
        for older in range(number, 0, -1):
            if not self._remove(self._path(name, older)):
                break
        return True

    def _newest(self, host: bytes, match: MatchId, origin: bytes) -> tuple[int, str]:
        """Return the highest number that a file of this match has, 0 where there is none, and the beginning of its
        name."""
        name = sha256(joined(host, match.encode(), origin)).hexdigest()[:32]
        numbers = [path.stem.partition("-")[2] for path in self._folder.glob(f"{name}-*{SUFFIX}")]
        return max((int(number) for number in numbers if number.isdecimal()), default=0), name

    def _path(self, name: str, number: int) -> Path:
        return self._folder / f"{name}-{number}{SUFFIX}"

    def _read(self, path: Path, match: MatchId, origin: bytes) -> OwnEntropyChain | None:
        try:
            file = msgspec.msgpack.decode(path.read_bytes(), type=_File)
        except (OSError, msgspec.MsgspecError):
            return None
        chain = OwnEntropyChain(*file[1:])
        is_whole = (file[0], chain.match, chain.origin) == (_LAYOUT, match, origin)
        return chain if is_whole and {len(chain.seed), len(chain.key)} == {32} else None

    def _remove(self, path: Path) -> bool:
        """Remove a file, as far as it can be, and return True where it was there."""
        with suppress(OSError):
            path.unlink()
            return True
        return False


def _write(path: Path, data: bytes) -> None:
    """Write a new file for its owner alone, and sync it. Raises OSError; a part of it is not left behind."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make a new name in the folder durable, where the system can (Windows cannot open folders)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
