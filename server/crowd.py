"""Serving many who only look on: in slices, by a task of its own, so that players never wait for them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

SLICE: Final = 50
"""Spectators that are served before others may run again."""

Job = Callable[[], Iterator[None]]
"""Looks at things as they are when its turn comes, and yields after each spectator that it has served."""


class Gate:
    """Shut while a step of the match is on its way to the players."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()

    def shut(self) -> None:
        """Spectators wait from now on."""
        self._open.clear()

    def open(self) -> None:
        """Spectators are served again."""
        self._open.set()

    async def passed(self) -> None:
        """Wait until it is open; let others run in any case."""
        await asyncio.sleep(0)
        await self._open.wait()


class Crowd:
    """Jobs are done in the order given. Nothing here waits for a spectator: each has a queue of its own."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._jobs: deque[Job] = deque()
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job) -> None:
        """Do this after what was added before it, and after whatever is ready to run now."""
        self._jobs.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._work())

    def clear(self) -> None:
        """Forget the jobs that have not begun."""
        self._jobs.clear()

    def stop(self) -> list[asyncio.Task[None]]:
        """Serve nobody any more. Returns the task that now ends."""
        self._jobs.clear()
        if self._task is None:
            return []
        self._task.cancel()
        return [self._task]

    async def _work(self) -> None:
        try:
            while self._jobs:
                await self._gate.passed()
                for count, _ in enumerate(self._jobs.popleft()() if self._jobs else (), start=1):
                    if count % SLICE == 0:
                        await self._gate.passed()
        finally:
            self._task = None
