"""A file that comes in parts. Its name is the server's idea and is trusted as little as any."""

from __future__ import annotations

import re
from pathlib import Path

from protocol.from_server import FilePart
from protocol.limits import Limits

MOST_BYTES = Limits().replay_bytes


class FileDownload:
    """Collects the parts of one file and writes it into `folder` when it is whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.parts: list[bytes] = []

    def take(self, part: FilePart) -> Path | None:
        """Take the next part; the path once the file is whole and written. Parts out of order or too many bytes drop
        what has come. Raises OSError if the file cannot be written."""
        if part.part != len(self.parts) or sum(map(len, self.parts)) + len(part.data) > MOST_BYTES:
            self.parts = []
            return None
        self.parts.append(part.data)
        if len(self.parts) < part.parts:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        path = _free_path(self.folder, part.name)
        path.write_bytes(b"".join(self.parts))
        return path


def _free_path(folder: Path, name: str) -> Path:
    """A path inside the folder that no file has, of the name's harmless characters."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name.removesuffix(".replay")).strip("-")[:60] or "match"
    for number in range(1, 1000):
        path = folder / (f"{stem}.replay" if number == 1 else f"{stem}-{number}.replay")
        if not path.exists():
            return path
    return folder / f"{stem}-last.replay"
