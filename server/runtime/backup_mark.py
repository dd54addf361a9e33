"""Mark of the last backup in a data folder: a file whose time of change is that of the backup.

Whoever backs up by other means (a copy of the disk, the tools of Redis) touches the same file afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

MARK: Final = "last-backup"


def mark_backup(folder: Path) -> None:
    """Note that a backup of this data folder has been made now. Raises OSError."""
    (folder / MARK).touch(mode=0o600)


def backed_up_at(folder: Path) -> float | None:
    """Return the Unix time of the last backup, None where there was none. Raises OSError."""
    try:
        return (folder / MARK).stat().st_mtime
    except FileNotFoundError:
        return None
