"""Files that come in parts. The name of one is the server's idea and is trusted as little as any."""

from __future__ import annotations

import re
from pathlib import Path

from protocol.limits import Limits
from protocol.wire.from_server import FilePart
from protocol.wire.own_data import OwnDataPart

MOST_BYTES = Limits().replay_bytes
REPLAY = ".replay"


class DownloadedParts:
    """Parts of one file so far, of so many bytes at most."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.parts: list[bytes] = []
        self._most = most
        self._bytes = 0

    def take(self, part: FilePart | OwnDataPart) -> bytes | None:
        """Take the next part, and return the file once it is whole. Parts that are out of order or empty, or too many
        bytes, drop what has come."""
        self._bytes += len(part.data)
        if part.part != len(self.parts) or not part.data or self._bytes > self._most:
            self.parts, self._bytes = [], 0
            return None
        self.parts.append(part.data)
        return b"".join(self.parts) if len(self.parts) >= part.parts else None


class FileDownload:
    """File that is collected in parts and written into `folder` when it is whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._collected = DownloadedParts()

    def take(self, part: FilePart) -> Path | None:
        """Take the next part, and return the path once the file is whole and written. Raises OSError if it cannot be
        written."""
        data = self._collected.take(part)
        return save(self.folder, part.name, data) if data is not None else None


def save(folder: Path, name: str, data: bytes, suffix: str = REPLAY) -> Path:
    """Write a file whose name is a server's, under its harmless characters; return its path. It is not written again
    where it is there already, and takes no other file's place but that of the last name. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = harmless(name.removesuffix(suffix)) or "match"
    for number in range(1, 1000):
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
        if not path.exists():
            break
        if path.stat().st_size == len(data) and path.read_bytes() == data:
            return path
    else:
        path = folder / f"{stem}-last{suffix}"
    path.write_bytes(data)
    return path


def harmless(name: str) -> str:
    """Return the letters and digits of a name that every system takes in the name of a file, 60 at most."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]


def short_folder(folder: Path) -> str:
    """Return a folder's path, shortened to begin at the user's home where it lies below that."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
