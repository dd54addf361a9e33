"""Background tasks: a fault in one is logged and counted at once, and harms nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from server.runtime.clock import Clock
    from server.runtime.logs import Log
    from server.runtime.metrics import Metrics

AGAIN_SECONDS: Final = 1.0


class Background:
    """A starter of tasks that watches how they end. `name` is what the log and the metrics call a task."""

    def __init__(self, log: Log, metrics: Metrics, clock: Clock) -> None:
        self._log = log
        self._metrics = metrics
        self._clock = clock

    def begin(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Start a task. The caller must keep it, since the loop does not, and gets its exception, too, where it waits
        for it."""
        task = asyncio.create_task(work)
        task.add_done_callback(partial(self._look, name))
        return task

    def keep(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> asyncio.Task[None]:
        """Run `work` until it returns or is cancelled; after a fault, run it again AGAIN_SECONDS later. Keep the
        task."""
        return asyncio.create_task(self._keep(work, name))

    async def _keep(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        while True:
            try:
                return await work()
            except Exception as bug:  # noqa: BLE001 - work that never ends outlives whatever fault it meets
                self._fault(name, bug)
            await self._clock.sleep(AGAIN_SECONDS)

    def _look(self, name: str, task: asyncio.Task[None]) -> None:
        bug = None if task.cancelled() else task.exception()
        if bug is not None:
            self._fault(name, bug)

    def _fault(self, name: str, bug: BaseException) -> None:
        self._metrics.task_faults.add(name)
        self._log.error("task", task=name, problem=type(bug).__name__, exc_info=bug)
