"""The one door for tasks: each is begun by a supervisor, which logs and counts its failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from server.runtime.clock import Clock
    from server.runtime.logs import Log
    from server.runtime.metrics import Metrics

AGAIN_SECONDS: Final = 1.0

T = TypeVar("T")


class TaskSupervisor:
    """Begins tasks, and logs and counts each failure once, when the task ends. `name` is what the log and the metrics
    call a task. The caller must keep the task, since the loop does not; where it waits for it, it gets the exception,
    too."""

    def __init__(self, log: Log, metrics: Metrics, clock: Clock) -> None:
        self.log = log
        self.metrics = metrics
        self._clock = clock

    def begin(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Start a task in the next turn of the loop."""
        task = asyncio.Task(work, loop=asyncio.get_running_loop(), name=name)
        task.add_done_callback(self._look)
        return task

    def keep(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> asyncio.Task[None]:
        """Run `work` until it returns or is cancelled; after a failure, run it again AGAIN_SECONDS later."""
        return self.begin(self._keep(work, name), name)

    async def _keep(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        while True:
            try:
                return await work()
            except Exception as bug:  # noqa: BLE001 - work that never ends outlives whatever fault it meets
                self.failed(name, bug)
            await self._clock.sleep(AGAIN_SECONDS)

    def failed(self, name: str, bug: BaseException, **about: str) -> None:
        """Log and count a failure that does not end its task."""
        self.metrics.task_faults.add(name)
        self.log.error("task", task=name, problem=type(bug).__name__, exc_info=bug, **about)

    def _look(self, task: asyncio.Task[Any]) -> None:
        bug = None if task.cancelled() else task.exception()
        if bug is not None:
            self.failed(task.get_name(), bug)


async def stop(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and wait until they have ended, however they do. When cancelled, they end all the same."""
    stopping = list(tasks)
    for task in stopping:
        task.cancel()
    await ended(stopping)


async def ended(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Wait until cancelled tasks have ended, however they do.

    An exception of one is not raised here. A cancellation of the caller is never taken for theirs.
    """
    if tasks:
        await asyncio.wait(tasks)


async def first_of(*works: Coroutine[Any, Any, object]) -> None:
    """Run these side by side until one of them ends, then cancel the others; what it raises is raised here. When
    cancelled, nothing goes on."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # not awaited: a cancellation that came meanwhile would pass for theirs, and the caller would go on
        for task in tasks:
            task.cancel()
    for task in done:
        task.result()
