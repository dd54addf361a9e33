"""The serving of spectators, in slices and by a task of its own, so that players never wait for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Generic, TypeVar

from server.runtime.tasks import TaskSupervisor

SLICE: Final = 8
"""Spectators that are served before others may run again."""
PAUSE: Final = 0.001
"""Seconds between two slices: a thousand spectators take a part of the server's time, and never more, however much
happens. What has happened meanwhile they are shown together."""

T = TypeVar("T")
Tell = Callable[[list[T]], Iterator[None]]
Job = Callable[[], Iterator[None]]
"""Looks at things as they are when its turn comes, and yields after each spectator that it has served."""


class SpectatorGate:
    """Gate that is shut while a step of the match is on its way to the players. `tasks` serves the spectators."""

    def __init__(self, tasks: TaskSupervisor) -> None:
        self.tasks = tasks
        self._open = asyncio.Event()
        self._open.set()
        self._next: asyncio.Event | None = None
        self.shut = self._open.clear
        """Spectators wait from now on."""
        self.open = self._open.set
        """Spectators are served again."""

    async def passed(self) -> None:
        """Wait until it is open; let others run in any case."""
        await asyncio.sleep(0)
        await self._open.wait()

    async def next_slice(self) -> None:
        """Wait for the next slice. All queues of a table go on in one turn of the loop: what two of them have for one
        spectator goes out in one piece."""
        if self._next is None:
            self._next = asyncio.Event()
            asyncio.get_running_loop().call_later(PAUSE, self._begin_slice, self._next)
        await self._next.wait()
        await self._open.wait()

    def _begin_slice(self, begun: asyncio.Event) -> None:
        self._next = None
        begun.set()


class SpectatorQueue:
    """Queue of jobs, done in the order given. A job does not wait for a spectator, who has a queue of its own. Since
    many spectators take longer than a step, a job that has not begun stands for all that comes before it does."""

    def __init__(self, gate: SpectatorGate) -> None:
        self._gate = gate
        self._jobs: deque[Job] = deque()
        self._task: asyncio.Task[None] | None = None

    def add(self, job: Job) -> None:
        """Do this after what was added before it, and after whatever is ready to run now."""
        self._jobs.append(job)
        if self._task is None:
            self._task = self._gate.tasks.begin(self._work(), "spectators")

    def stop(self) -> list[asyncio.Task[None]]:
        """Serve no spectator any more. Return the task that now ends."""
        self._jobs.clear()
        task, self._task = self._task, None
        if task is None:
            return []
        task.cancel()
        return [task]

    async def _work(self) -> None:
        try:
            while self._jobs:
                await self._gate.passed()
                for count, _ in enumerate(self._jobs.popleft()() if self._jobs else (), start=1):
                    if count % SLICE == 0:
                        await self._gate.next_slice()
        except Exception:
            # the supervisor logs a job that fails; those behind it are done all the same
            self._task = self._gate.tasks.begin(self._work(), "spectators")
            raise
        self._task = None


class Backlog(Generic[T]):
    """Things to be told to spectators, in order."""

    def __init__(self, crowd: SpectatorQueue) -> None:
        self._spectators = crowd
        self._gathered: list[T] = []

    def add(self, news: T, tell: Tell[T]) -> None:
        """Tell this soon, after what was added before it: `tell` gets all that has gathered by its turn, and yields
        after each spectator. It is the same each time, and kept only until then: it may lead to who has this backlog.
        """
        if not self._gathered:
            self._spectators.add(partial(self._tell_all, tell))
        self._gathered.append(news)

    def _tell_all(self, tell: Tell[T]) -> Iterator[None]:
        gathered, self._gathered = self._gathered, []
        return tell(gathered)
