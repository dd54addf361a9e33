"""Progress of a long run, on standard error: a bar with the time left; without a terminal, plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

SECONDS: Final = 30.0
"""Least time between two lines, without a terminal."""
PERIOD: Final = 600.0
"""Time over which the pace is measured that gives the time left."""


@contextmanager
def progress(total: int, words: str, now: Callable[[], float] = time.monotonic) -> Iterator[Callable[[], None]]:
    """Give a function that is to be called after each of `total` tasks. `now`: seconds of a clock."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(total, words, now).step
        return
    columns = (TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn())
    times = (TextColumn("played for"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, *times, console=console, speed_estimate_period=PERIOD, get_time=now) as bar:
        task = bar.add_task(words, total=total)
        yield lambda: bar.advance(task)


class _Lines:
    """The progress as lines, for a log."""

    def __init__(self, total: int, words: str, now: Callable[[], float]) -> None:
        self._total = total
        self._words = words
        self._now = now
        self._began = self._told = now()
        self._done = 0

    def step(self) -> None:
        """Count a task as done, and print a line where it is time for one."""
        self._done += 1
        at = self._now()
        if at - self._told < SECONDS and self._done < self._total:
            return
        self._told = at
        left = (at - self._began) / self._done * (self._total - self._done)
        print(f"{self._words}: {self._done}/{self._total}, {left / 60:.0f} min left", file=sys.stderr, flush=True)
