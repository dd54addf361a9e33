"""CPU time of the event loop's thread by cause, measured while the work of each runs and not while it waits.

Of acts every sixteenth is measured and stands for those since the last: each step of one costs a microsecond more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Generator
from time import thread_time
from types import coroutine
from typing import Any, Final, Literal, TypeVar

T = TypeVar("T")
EVERY: Final = 16
Cause = Literal["acts", "details", "bots"]


class CpuTimes:
    """CPU seconds of each cause so far. Written by the event loop's thread only."""

    def __init__(self, every: int = EVERY) -> None:
        self.seconds: dict[Cause, float] = {"acts": 0.0, "details": 0.0, "bots": 0.0}
        self._every = every
        self._until_next: dict[Cause, int] = dict.fromkeys(self.seconds, 1)
        self._stands_for: dict[Cause, int] = dict.fromkeys(self.seconds, 1)

    def add(self, cause: Cause, seconds: float) -> None:
        """Count these seconds."""
        self.seconds[cause] += seconds

    def sampled(self, cause: Cause, work: Coroutine[Any, Any, T]) -> Awaitable[T]:
        """Return what is to be awaited in place of `work`: the first is measured, and then one of so many."""
        left = self._until_next[cause] - 1
        if left:
            self._until_next[cause] = left
            return work
        times, self._stands_for[cause] = self._stands_for[cause], self._every
        self._until_next[cause] = self._every
        return self._measured(cause, work, times)

    @coroutine
    def _measured(self, cause: Cause, work: Coroutine[Any, Any, T], times: int) -> Generator[Any, Any, T]:
        """Await `work`, and count the CPU time of its steps so many times. Cancellation reaches `work` as if it were
        awaited directly."""
        seconds, sent, thrown = self.seconds, None, None
        while True:
            began = thread_time()
            try:
                waits_for = work.send(sent) if thrown is None else work.throw(thrown)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                seconds[cause] += times * (thread_time() - began)
            sent = thrown = None
            try:
                sent = yield waits_for
            except GeneratorExit:
                work.close()
                raise
            except BaseException as problem:  # noqa: BLE001 - whatever is thrown in is for the work
                thrown = problem
