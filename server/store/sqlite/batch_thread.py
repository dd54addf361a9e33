"""A thread that takes jobs from a bounded queue in batches, and answers an event loop once a batch."""

import threading
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from server.store.port import StoreUnavailable

C = TypeVar("C")
T = TypeVar("T")


class Failed(NamedTuple):
    """Outcome of a job that raised."""

    error: Exception


class _Job(msgspec.Struct, Generic[C], frozen=True):
    work: Callable[[C], object]
    future: Future[Any]


class BatchThread(Generic[C]):
    """A thread that runs jobs in the order in which they were submitted; all that wait when a batch ends are the next
    batch.

    What is submitted in one turn of the event loop is handed over together, when that turn ends: every hand-over wakes
    the thread, which then wants the interpreter from the loop, and both cost more than the jobs themselves.

    perform: given the works of a batch, returns their outcomes (a value or Failed) in the same order. limit: how many
    jobs may wait beside the batch that is running.
    """

    def __init__(
        self, name: str, limit: int, perform: Callable[[Sequence[Callable[[C], object]]], Sequence[object]]
    ) -> None:
        self._limit = limit
        self._perform = perform
        # contended only by `stop`, which another thread may call
        self._lock = threading.Lock()
        self._gathered: list[_Job[C]] = []
        self._gathering: AbstractEventLoop | None = None
        self._stopping = False
        self._handed_over: SimpleQueue[list[_Job[C]] | None] = SimpleQueue()
        self._submitted = 0
        self._taken = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def submit(self, work: Callable[[C], T]) -> T:
        """Run `work` in the thread. When cancelled it may or may not run; raises StoreUnavailable if the queue is full
        or closed."""
        return await self.put(work)

    def put(self, work: Callable[[C], T]) -> Future[T]:
        """Submit `work`, and return its future: the same without a coroutine, for every step is stored so."""
        loop = get_running_loop()
        future: Future[T] = loop.create_future()
        with self._lock:
            if self._stopping:
                raise StoreUnavailable("The store is closed.")
            if self._submitted - self._taken >= self._limit:
                raise StoreUnavailable(f"The store is busy: {self._limit} operations are waiting. Try again soon.")
            self._submitted += 1
            self._gathered.append(_Job(work, future))
            # a loop that ended in the middle of a turn has left its jobs to the next one
            if self._gathering is not loop:
                self._gathering = loop
                loop.call_soon(self._hand_over)
        return future

    def stop(self) -> None:
        """Refuse new jobs, finish those that wait, end the thread. Blocks; may be called again."""
        with self._lock:
            self._stopping = True
        self._hand_over()
        self._handed_over.put(None)
        self._thread.join()

    def _hand_over(self) -> None:
        with self._lock:
            gathered, self._gathered, self._gathering = self._gathered, [], None
        if gathered:
            self._handed_over.put(gathered)

    def _run(self) -> None:
        while batch := self._take():
            try:
                outcomes = self._perform([job.work for job in batch])
            except Exception as error:  # noqa: BLE001 - a bug: callers must learn of it, and the thread live on
                outcomes = [Failed(error)] * len(batch)
            _answer(batch, outcomes)
            # until the next batch comes nothing is kept of this one, which may have read the log of a long match
            del batch, outcomes

    def _take(self) -> list[_Job[C]]:
        """Return the next batch; empty when the thread is to end."""
        batch = self._handed_over.get() or []
        while batch and not self._handed_over.empty():
            more = self._handed_over.get()
            if more is None:
                self._handed_over.put(None)  # the end, once this batch is done
                break
            batch += more
        self._taken += len(batch)
        return batch


def _answer(batch: Sequence[_Job[C]], outcomes: Sequence[object]) -> None:
    loops: defaultdict[AbstractEventLoop, list[tuple[Future[Any], object]]] = defaultdict(list)
    for job, outcome in zip(batch, outcomes, strict=True):
        loops[job.future.get_loop()].append((job.future, outcome))
    for loop, answers in loops.items():
        with suppress(RuntimeError):  # that loop is closed: no caller is left
            loop.call_soon_threadsafe(_resolve, answers)


def _resolve(answers: Sequence[tuple[Future[Any], object]]) -> None:
    for future, outcome in answers:
        if future.done():  # cancelled while it waited
            continue
        if isinstance(outcome, Failed):
            future.set_exception(outcome.error)
        else:
            future.set_result(outcome)
