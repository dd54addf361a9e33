"""Room in a folder that keeps so many files and no more."""

from __future__ import annotations

from pathlib import Path


def oldest_beyond(folder: Path, suffix: str, most: int) -> list[Path]:
    """Return the files with this suffix that have to go, oldest first, so that one more makes `most`. Raises OSError.

    Age is by the time of the last change.
    """
    files = sorted(folder.glob(f"*{suffix}"), key=lambda path: path.stat().st_mtime)
    return files[: max(len(files) - most + 1, 0)]
