"""Texts that a person keeps on this computer by names of their own: army lists, and set-ups of tables."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import chain, count
from pathlib import Path
from typing import Final

from client.storage.atomic_write import write_atomically
from protocol.limits import Limits

MOST_BYTES: Final = Limits().list_bytes
"""Of a file; what is longer is not read to its end."""
MOST_NAME: Final = 40


class NamedFiles:
    """Texts of one kind, a file each in a folder of theirs. `suffix`: of the files; `usual`: the name of one that is
    given none that can be that of a file."""

    def __init__(self, folder: Path, suffix: str, usual: str) -> None:
        self._folder = folder
        self._suffix = suffix
        self._usual = usual

    def names(self) -> list[str]:
        """Return the names of what is kept, the newest first."""
        try:
            # a write that was cut off leaves a hidden file behind
            files = [path for path in self._folder.glob(f"[!.]*{self._suffix}") if path.is_file()]
            found = [(path.stat().st_mtime_ns, path.stem) for path in files]
        except OSError:
            return []
        return [name for _, name in sorted(found, reverse=True)]

    def keep(self, name: str, written: str, over: Container[str] | None = None) -> str:
        """Write a text, over one of the same name, and return the name it has now: where `over` is given, over one of
        these alone, else by the next free name. Raises OSError."""
        plain = re.sub(r"[^A-Za-z0-9 _-]+", "-", name).strip("- ")[:MOST_NAME] or self._usual
        if over is not None and plain not in over:
            plain = self._free(plain)
        write_atomically(self._file(plain), written.encode())
        return plain

    def read(self, name: str) -> str:
        """Return what is kept by this name. Raises OSError, UnicodeDecodeError."""
        with self._file(name).open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8-sig")

    def forget(self, name: str) -> None:
        """Delete what is kept by this name, if anything is. Raises OSError."""
        self._file(name).unlink(missing_ok=True)

    def _free(self, name: str) -> str:
        """Return a name by which nothing is kept: this one, else with a number behind it."""
        others = (f"{name[: MOST_NAME - len(str(n)) - 1]}-{n}" for n in count(2))
        return next(one for one in chain((name,), others) if not self._file(one).exists())

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}{self._suffix}"
