"""Deferred jobs, a few each turn of the event loop, so that urgent work never waits behind more than that."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

JOBS_A_TURN: Final = 2
"""Jobs that are done before all else that is ready may run."""

Job = Callable[[], object]


class PacedJobs:
    """A queue of jobs, each done once and in order, a few each time the loop comes round, or after each `pause`
    (seconds)."""

    def __init__(self, pause: float = 0.0) -> None:
        self._pause = pause
        self._waiting: deque[Job] = deque()
        self._is_due = False

    def add(self, job: Job) -> None:
        """Queue a job for a coming turn of the loop; it never runs within this call."""
        self._waiting.append(job)
        if not self._is_due:
            self._come_round()

    async def wait_turn(self) -> None:
        """Wait for a place in the queue to come up."""
        come = asyncio.Event()
        self.add(come.set)
        await come.wait()

    def _work(self) -> None:
        try:
            for _ in range(min(JOBS_A_TURN, len(self._waiting))):
                self._waiting.popleft()()
        finally:
            # the loop logs a job that fails; those behind it are done all the same
            self._is_due = False
            if self._waiting:
                self._come_round()

    def _come_round(self) -> None:
        self._is_due = True
        loop = asyncio.get_running_loop()
        if self._pause:
            loop.call_later(self._pause, self._work)
        else:
            loop.call_soon(self._work)
