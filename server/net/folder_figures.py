"""Figures of the data folder that cost a look at the disk: taken in a thread when asked for, and kept a while."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from prometheus_client.core import GaugeMetricFamily

from server.runtime.backup_mark import backed_up_at
from server.runtime.long_threads import in_thread
from server.runtime.metrics import gauge
from server.runtime.tasks import TaskSupervisor

FRESH_SECONDS: Final = 30.0
"""For which the figures are not taken anew."""
PATIENCE_SECONDS: Final = 1.0
"""For which a slow disk is waited for; then the figures of before are told."""
REPLAYS: Final = "replays"


class FolderLook(NamedTuple):
    """Figures that one look has found. `backed_up`: Unix time of the last backup, None where there was none."""

    free: int
    replays: int
    replay_bytes: int
    backed_up: float | None


class FolderFigures:
    """The figures of one data folder, for the metrics. They are absent until the first look is done."""

    def __init__(self, folder: Path, tasks: TaskSupervisor) -> None:
        self._folder = folder
        self._tasks = tasks
        self._found: FolderLook | None = None
        self._taken_at = float("-inf")
        self._look: asyncio.Task[None] | None = None

    async def refresh(self) -> None:
        """Look where the last look is no longer fresh, and wait for it PATIENCE_SECONDS at most."""
        if self._look is None and time.monotonic() - self._taken_at >= FRESH_SECONDS:
            self._look = self._tasks.begin(self._take(), "folder-figures")
        if self._look is not None:
            await asyncio.wait([self._look], timeout=PATIENCE_SECONDS)

    async def _take(self) -> None:
        try:
            with suppress(OSError):
                self._found = await in_thread(look, self._folder)
                self._taken_at = time.monotonic()
        finally:
            self._look = None

    def gauges(self) -> Iterator[GaugeMetricFamily]:
        """Yield what the last look has found."""
        found = self._found
        if found is None:
            return
        yield gauge("eschaton_disk_free_bytes", "Free bytes of the disk that holds the data folder.", found.free)
        yield gauge("eschaton_replays", "Replays of finished matches in the data folder.", found.replays)
        yield gauge("eschaton_replays_bytes", "Size of the replays.", found.replay_bytes)
        age = time.time() - found.backed_up if found.backed_up is not None else float("inf")
        yield gauge("eschaton_backup_age_seconds", "Age of the last backup of the data folder; +Inf: never.", age)


def look(folder: Path) -> FolderLook:
    """Take the figures of a data folder. Raises OSError."""
    sizes = list(replay_sizes(folder))
    return FolderLook(shutil.disk_usage(folder).free, len(sizes), sum(sizes), backed_up_at(folder))


def replay_sizes(folder: Path) -> Iterator[int]:
    """Yield the size of each replay in a data folder."""
    with suppress(FileNotFoundError), os.scandir(folder / REPLAYS) as files:
        for file in files:
            if file.name.endswith(".replay"):
                with suppress(FileNotFoundError):
                    yield file.stat().st_size
