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


class Crowd:
    """Jobs are done in the order given. Nothing here waits for a spectator: each has a queue of its own."""

    def __init__(self) -> None:
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
                for count, _ in enumerate(self._jobs.popleft()(), start=1):
                    if count % SLICE == 0:
                        await asyncio.sleep(0)
                await asyncio.sleep(0)
        finally:
            self._task = None
