"""`eschaton-server content watch`: content checked again, and drawn again, whenever a file of it changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Final

from server.cli.content import check as content_check
from server.runtime.errors import CommandError

EVERY: Final = 0.5
"""Seconds between two looks at the files."""

Stamps = dict[Path, tuple[int, int]]
"""Time of the last change, and size, of each file."""


def wait() -> bool:
    """Wait until the next look. Always true: somebody interrupts the command."""
    return not Event().wait(EVERY)


def run(folder: Path, then: Callable[[], object] = lambda: None, wait: Callable[[], bool] = wait) -> int:
    """Check a folder at once, and at each change until `wait` returns False; do what is `then` to be done where nothing
    is wrong. Raises CommandError where there is no folder."""
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}. Name the one that your content is in.", 1)
    seen: Stamps | None = None
    while True:
        now = stamps(folder)
        if now != seen:
            seen = now
            _tell(folder, then)
        if not wait():
            return 0


def stamps(folder: Path) -> Stamps:
    """Return what can be told of each file without reading it. Files that vanish meanwhile are left out."""
    found: Stamps = {}
    for path in folder.rglob("*.toml"):
        try:
            stat = path.stat()
        except OSError:
            continue
        found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


def _tell(folder: Path, then: Callable[[], object]) -> None:
    print(f"-- {folder}")
    try:
        content_check.run(folder)
        then()
    except CommandError as problem:
        print(problem, file=sys.stderr, flush=True)
    sys.stdout.flush()
