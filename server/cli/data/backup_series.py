"""Backups by timer: folders in one place, each named for its time, of which the newest are kept; and the restore drill.

The drill restores the newest backup into a scratch folder beside it, lets fsck read and fold everything there, and
removes the folder again.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from server.cli.data import fsck
from server.cli.data.backup import KEYS, MANIFEST, restore, run_backup
from server.runtime.errors import CommandError
from server.runtime.former_keys import FORMER
from server.runtime.keyfile import private_folder

NAME: Final = "%Y-%m-%dT%H-%M-%SZ"
"""Name of a backup, in UTC: names sort as their times do."""
NAMED: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ")
SCRATCH: Final = ".drill-"
LEFTOVER: Final = re.compile(r"\.drill-.*|\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.\d+\.part")
LEFTOVER_SECONDS: Final = 86_400.0
"""Age at which what a killed command has left is removed: no command takes so long."""


def series(folder: Path) -> list[Path]:
    """Return the backups of a folder, the oldest first. Raises CommandError where it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if NAMED.fullmatch(path.name) and (path / MANIFEST).is_file())
    except OSError as problem:
        raise CommandError(f"The backups in {folder} cannot be read: {problem.strerror or problem}.", 1) from problem


def newest(folder: Path) -> Path:
    """Return the newest backup of a folder, or the folder itself where it is a backup. Raises CommandError."""
    if (folder / MANIFEST).is_file():
        return folder
    found = series(folder)
    if not found:
        raise CommandError(f"There is no backup in {folder}. Make one: eschaton-server backup {folder} --keep 14", 1)
    return found[-1]


def thin(folder: Path, keep: int, fresh: Path) -> list[Path]:
    """Remove all but the newest `keep` backups and return those removed; `fresh` stays, whatever the clock says.

    Raises OSError.
    """
    others = [backup for backup in series(folder) if backup != fresh]
    removed = others[: max(len(others) - (keep - 1), 0)]
    for backup in removed:
        # without its manifest it is no backup any more, however far the removal comes
        (backup / MANIFEST).unlink()
        shutil.rmtree(backup)
    return removed


def sweep(folder: Path, now: float) -> None:
    """Remove what killed backups and drills have left in a folder, and backups whose removal was begun. `now`: Unix
    seconds. Raises OSError."""
    for path in folder.iterdir():
        # another command may take its own away meanwhile
        with suppress(FileNotFoundError):
            if _is_leftover(path) and now - path.stat().st_mtime > LEFTOVER_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _is_leftover(path: Path) -> bool:
    if NAMED.fullmatch(path.name):
        return path.is_dir() and not (path / MANIFEST).exists()
    return LEFTOVER.fullmatch(path.name) is not None


def run_series(data: Path, place: str, folder: Path, keep: int, *, keys: bool) -> int:
    """Run the command `backup --keep`: make a backup named for its time, then remove the oldest. Raises
    CommandError."""
    now = time.time()
    fresh = folder / datetime.fromtimestamp(now, UTC).strftime(NAME)
    try:
        private_folder(folder)
        sweep(folder, now)
        status = run_backup(data, place, fresh, keys=keys)
        removed = thin(folder, keep, fresh)
    except OSError as problem:
        raise CommandError(f"{folder} cannot be used: {problem.strerror or problem}", 1) from problem
    print(json.dumps({"event": "thinned", "kept": len(series(folder)), "removed": [path.name for path in removed]}))
    return status


def run_drill(folder: Path, data: Path) -> int:
    """Run the command `drill`; return 1 where the backup holds anything damaged. Raises CommandError.

    `data`: folder whose host keys are lent to a backup that lacks them, where they can be read.
    """
    began = time.monotonic()
    backup = newest(folder)
    try:
        scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=folder if backup != folder else folder.absolute().parent))
    except OSError as problem:
        raise CommandError(f"No drill: {folder} cannot be written: {problem.strerror or problem}", 1) from problem
    try:
        restored = scratch / "data"
        made = restore(backup, restored)
        _lend_keys(data, restored)
        has_keys = all((restored / name).is_file() for name in KEYS)
        status = fsck.run(restored, "")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    took = round(time.monotonic() - began, 2)
    told = {"backup": str(backup), "age": int(time.time()) - made.made, "matches": made.matches, "steps": made.steps}
    outcome = "good" if status == 0 else "damaged"
    print(json.dumps({"event": "drilled", "outcome": outcome, **told, "keys": has_keys, "seconds": took}))
    return status


def _lend_keys(data: Path, restored: Path) -> None:
    """Copy the host keys that the backup lacks, for their owner only, as far as they can be read."""
    for name in [name for name in (*KEYS, FORMER) if not (restored / name).exists()]:
        with suppress(OSError):
            key = (data / name).read_bytes()
            (restored / name).touch(mode=0o600)
            (restored / name).write_bytes(key)
