"""Replays on their way to people: the file as it is stored, with the names of now beside what is signed."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from protocol.fairness.replay import Names, names_section
from protocol.fairness.replay_sections import BEGINNING_BYTES, FIRST_VERSION, hash_section, version_of

if TYPE_CHECKING:
    from pathlib import Path

PIECE: Final = 1 << 20
"""Bytes that are hashed at a time."""


class SentReplay(NamedTuple):
    """The bytes of a file up to `kept`, and `ending` after them. `stamp` is that of the file: another one that has
    taken its place meanwhile would not go with what was sent of it."""

    path: Path
    kept: int
    ending: bytes
    stamp: tuple[int, int, int]

    @property
    def size(self) -> int:
        """Number of bytes to send."""
        return self.kept + len(self.ending)

    def part(self, start: int, size: int) -> bytes:
        """Return at most `size` bytes from byte `start` on. Raises OSError, also where the file is another one now.

        The file is opened and closed in one call, since a caller that is cancelled while it waits for the thread cannot
        close it.
        """
        with self.path.open("rb") as file:
            if _stamp(file) != self.stamp:
                raise OSError(f"{self.path.name} has been written anew")
            file.seek(start)
            data = file.read(min(size, max(self.kept - start, 0)))
        return data + self.ending[max(start - self.kept, 0) : max(start + size - self.kept, 0)]


def with_names(path: Path, names: Names) -> SentReplay:
    """Return a stored replay with these names beside it; one of version 1, which has names in its head, and a damaged
    one as they are. Raises OSError."""
    with path.open("rb") as file:
        stamp = _stamp(file)
        kept = _end_of_signature(file)
        if not kept:
            return SentReplay(path, stamp[-1], b"", stamp)
        section = names_section(names)
        return SentReplay(path, kept, section + hash_section(_hashed(file, kept, section)), stamp)


def _stamp(file: IO[bytes]) -> tuple[int, int, int]:
    found = os.fstat(file.fileno())
    return found.st_ino, found.st_mtime_ns, found.st_size


def _end_of_signature(file: IO[bytes]) -> int:
    """Return the place behind the signature, 0 where no names can stand there."""
    if version_of(file.read(BEGINNING_BYTES)) <= FIRST_VERSION:
        return 0
    place = BEGINNING_BYTES
    while len(section := file.read(8)) == 8:
        place = file.seek(int.from_bytes(section[4:], "big"), os.SEEK_CUR)
        if section[:4] == b"sign":
            return place
    return 0


def _hashed(file: IO[bytes], kept: int, section: bytes) -> bytes:
    """Return the SHA-256 of the first bytes of a file and of the section that follows them."""
    hashed = sha256()
    file.seek(0)
    for start in range(0, kept, PIECE):
        hashed.update(file.read(min(PIECE, kept - start)))
    hashed.update(section)
    return hashed.digest()
