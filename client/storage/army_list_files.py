"""Army lists that are kept on this computer, a file each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from protocol.limits import Limits

MOST_SHOWN: Final = 12
MOST_BYTES: Final = Limits().list_bytes
SUFFIX: Final = ".toml"


def saved_lists(folder: Path) -> list[str]:
    """Return the names of lists in the folder, the newest first."""
    try:
        found = [(path.stat().st_mtime_ns, path.stem) for path in folder.glob(f"*{SUFFIX}") if path.is_file()]
    except OSError:
        return []
    return [name for _, name in sorted(found, reverse=True)][:MOST_SHOWN]


def save_list(folder: Path, name: str, written: str) -> str:
    """Write a list, over one of the same name, and return the name it has now. Raises OSError."""
    plain = re.sub(r"[^A-Za-z0-9 _-]+", "-", name).strip("- ")[:40] or "list"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{plain}{SUFFIX}").write_text(written, "utf-8")
    return plain


def read_list(folder: Path, name: str) -> str:
    """Return a saved list. Raises OSError, UnicodeDecodeError."""
    with (folder / f"{name}{SUFFIX}").open("rb") as file:
        return file.read(MOST_BYTES).decode("utf-8-sig")
