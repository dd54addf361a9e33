"""A one-shot timer that is cheap to postpone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from server.runtime.clock import Clock
from server.runtime.tasks import TaskSupervisor


class Alarm:
    """One-shot timer that may wake early. One that is set stays until it rings, so that postponing it, as almost every
    step does, makes no task; whoever is woken too early sets it again."""

    def __init__(self, clock: Clock, tasks: TaskSupervisor, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._tasks = tasks
        self._wake = wake
        self._task: asyncio.Task[None] | None = None
        self._rings_at = 0.0

    def set(self, at: float | None) -> None:
        """Have `wake` called at `at` (the clock's time) at the latest; None: not at all."""
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
        """Call `wake` no more. Return the task that now ends, if there is one."""
        task, self._task = self._task, None
        if task is None:
            return []
        task.cancel()
        return [task]
