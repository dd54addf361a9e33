"""Queue of CPU-bound questions to the rules (details, drawn lists): one at a time, people in turn, charged by CPU time.

Each person has a line of their own, so that those who ask much delay only themselves.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import thread_time
from typing import Final, TypeVar

from server.runtime.bounds import Asker, Bounds
from server.runtime.cpu_time import CpuTimes
from server.runtime.long_threads import in_thread
from server.runtime.refusals import Refused

KIND: Final = "questions"
REST: Final = 2.0
"""Pause after a question, as a multiple of the time it took: two thirds of the loop's time are for all else."""

T = TypeVar("T")
Work = Callable[[], object]
"""A slice of a question: returns True where another is to follow, in its turn."""


class RuleQueries:
    """The queue of one server. `most`: questions that one person may have waiting; `cpu`: counts their time."""

    def __init__(self, bounds: Bounds, most: int, cpu: CpuTimes) -> None:
        self._bounds = bounds
        self._cpu = cpu
        self._most = most
        self._lines: dict[str, deque[tuple[Asker, Work]]] = {}
        """Waiting questions by person, in the order of their turns; none is empty."""
        self._free_at = 0.0
        """Time of the loop from which the next question may be asked."""
        self._timer: asyncio.TimerHandle | None = None

    def ask(self, asker: Asker, work: Work) -> None:
        """Do this work now, or in its turn. Raises Refused where this person or address has used up its time, or has
        too much waiting."""
        self._bounds.afford(KIND, asker)
        line = self._lines.get(asker.person)
        if line is not None and len(line) >= self._most:
            raise Refused("questions/waiting", most=self._most)
        if not self._lines and asyncio.get_running_loop().time() >= self._free_at:
            self._do(asker, work)
        else:
            self._line_up(asker, work)

    def charge(self, asker: Asker, seconds: float) -> None:
        """Count this time, which was used elsewhere, as that of a question."""
        self._cpu.add("details", seconds)
        self._bounds.charge(KIND, asker, seconds)

    async def answer(self, asker: Asker, work: Callable[[], T]) -> T:
        """Return what this work returns, done as by `ask`; work of which nobody waits for the answer is not done.
        Raises Refused as `ask` does, and what the work raises."""
        answered: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def settle() -> None:
            if answered.done():
                return
            try:
                answered.set_result(work())
            except Exception as problem:  # noqa: BLE001 - whatever it is, it is raised where the answer is awaited
                answered.set_exception(problem)

        self.ask(asker, settle)
        return await answered

    async def answer_in_thread(self, asker: Asker, work: Callable[[], T]) -> T:
        """Return what this work returns, done at once in a thread of its own, which counts as a question of so long.
        Raises Refused where this person or address has used up its time, and what the work raises."""
        self._bounds.afford(KIND, asker)
        used = 0.0

        def timed() -> T:
            nonlocal used
            began = thread_time()
            try:
                return work()
            finally:
                used = thread_time() - began

        try:
            return await in_thread(timed)
        finally:
            self.charge(asker, used)

    def close(self) -> None:
        """Drop all that waits."""
        self._lines.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _line_up(self, asker: Asker, work: Work) -> None:
        self._lines.setdefault(asker.person, deque()).append((asker, work))
        self._wait()

    def _wait(self) -> None:
        if self._timer is None and self._lines:
            self._timer = asyncio.get_running_loop().call_at(self._free_at, self._next)

    def _next(self) -> None:
        self._timer = None
        person = next(iter(self._lines))
        line = self._lines.pop(person)
        asker, work = line.popleft()
        if line:
            # behind all others
            self._lines[person] = line
        try:
            self._do(asker, work)
        finally:
            self._wait()

    def _do(self, asker: Asker, work: Work) -> None:
        began, goes_on = thread_time(), False
        try:
            goes_on = work() is True
        finally:
            used = thread_time() - began
            self._free_at = asyncio.get_running_loop().time() + REST * used
            self.charge(asker, used)
        if goes_on:
            self._line_up(asker, work)
