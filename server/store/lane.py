"""A thread that works off a bounded queue in batches and answers an event loop once a batch."""

import threading
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from server.store.port import StoreUnavailable

C = TypeVar("C")
T = TypeVar("T")


class Failed(NamedTuple):
    """The outcome of a job that raised."""

    error: Exception


class _Job(NamedTuple, Generic[C]):
    work: Callable[[C], object]
    future: Future[Any]


class Lane(Generic[C]):
    """Runs jobs in the order they were submitted; whatever waits when a batch ends is the next batch.

    perform: given the works of a batch, returns their outcomes (a value or Failed) in the same order.
    limit: how many jobs may wait beside the batch that is running.
    """

    def __init__(
        self, name: str, limit: int, perform: Callable[[Sequence[Callable[[C], object]]], Sequence[object]]
    ) -> None:
        self._limit = limit
        self._perform = perform
        self._jobs: deque[_Job[C]] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def submit(self, work: Callable[[C], T]) -> T:
        """Run `work` in the lane. When cancelled it may or may not run; raises StoreUnavailable if it cannot wait."""
        future: Future[T] = get_running_loop().create_future()
        with self._changed:
            if self._stopping:
                raise StoreUnavailable("The store is closed.")
            if len(self._jobs) >= self._limit:
                raise StoreUnavailable(f"The store is busy: {self._limit} operations are waiting. Try again soon.")
            self._jobs.append(_Job(work, future))
            self._changed.notify()
        return await future

    def stop(self) -> None:
        """Refuse new jobs, finish those that wait, end the thread. Blocks; may be called again."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while batch := self._take():
            try:
                outcomes = self._perform([job.work for job in batch])
            except Exception as error:  # a bug: its callers must hear of it, and the lane must live on
                outcomes = [Failed(error)] * len(batch)
            _answer(batch, outcomes)

    def _take(self) -> list[_Job[C]]:
        """The next batch; empty when the lane is to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._stopping)
            batch = list(self._jobs)
            self._jobs.clear()
            return batch


def _answer(batch: Sequence[_Job[C]], outcomes: Sequence[object]) -> None:
    loops: defaultdict[AbstractEventLoop, list[tuple[Future[Any], object]]] = defaultdict(list)
    for job, outcome in zip(batch, outcomes, strict=True):
        loops[job.future.get_loop()].append((job.future, outcome))
    for loop, answers in loops.items():
        with suppress(RuntimeError):  # that loop is closed: nobody is left to hear
            loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: Sequence[tuple[Future[Any], object]]) -> None:
    for future, outcome in answers:
        if future.done():  # cancelled while it waited
            continue
        if isinstance(outcome, Failed):
            future.set_exception(outcome.error)
        else:
            future.set_result(outcome)
