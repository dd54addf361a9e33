"""How far a long run has come, on the standard error: a bar with the time left; without a terminal, plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

SECONDS: Final = 30.0
"""Without a terminal, a line no oftener."""
PERIOD: Final = 600.0
"""The time left follows from the pace of so many seconds."""


@contextmanager
def progress(total: int, words: str, now: Callable[[], float] = time.monotonic) -> Iterator[Callable[[], None]]:
    """Gives what is to be called after each of `total` pieces of work. `now`: seconds of a clock."""
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
    """The same for a log."""

    def __init__(self, total: int, words: str, now: Callable[[], float]) -> None:
        self._total = total
        self._words = words
        self._now = now
        self._began = self._told = now()
        self._done = 0

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        at = self._now()
        if at - self._told < SECONDS and self._done < self._total:
            return
        self._told = at
        left = (at - self._began) / self._done * (self._total - self._done)
        print(f"{self._words}: {self._done}/{self._total}, {left / 60:.0f} min left", file=sys.stderr, flush=True)
