"""An alarm that almost every step moves on, and that hardly ever rings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.runtime.clock import Clock
    from server.runtime.tasks import TaskSupervisor


class Alarm:
    """Calls `wake` when its time has come, or earlier: an alarm that is set stays, and whoever it wakes for nothing
    sets it again. That is dearer once a minute, and saves a task made and cancelled at every step."""

    def __init__(self, clock: Clock, tasks: TaskSupervisor, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._tasks = tasks
        self._wake = wake
        self._task: asyncio.Task[None] | None = None
        self._rings_at = 0.0

    def set(self, at: float | None) -> None:
        """Wake at `at` (the clock's time) at the latest; None: wake nobody."""
        if at is None:
            self.stop()
            return
        if self._task is not None:
            if self._rings_at <= at:
                return
            self._task.cancel()
        self._rings_at = at
        self._task = self._tasks.begin(self._ring(), "alarm")

    async def _ring(self) -> None:
        await self._clock.sleep(self._rings_at - self._clock.now())
        self._task = None
        self._wake()

    def stop(self) -> list[asyncio.Task[None]]:
        """Wake nobody. Returns the task that now ends, if there is one."""
        task, self._task = self._task, None
        if task is None:
            return []
        task.cancel()
        return [task]
