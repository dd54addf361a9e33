"""The thread between the event loop and an SQLite store."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from weakref import ref

import pytest

from server.store.port import StoreUnavailable
from server.store.sqlite.batch_thread import BatchThread, Failed
from tests.support.clients.programs import until
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

Work = Callable[[list[int]], object]


class GatedWorker:
    """A worker that does the jobs of a list, batch by batch, while the gate is open."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.begun = threading.Event()
        self.done: list[int] = []
        self.batches: list[int] = []

    def perform(self, batch: Sequence[Work]) -> Sequence[object]:
        self.begun.set()
        assert self.gate.wait(PATIENCE)
        self.batches.append(len(batch))
        return [work(self.done) for work in batch]


def note(number: int) -> Callable[[list[int]], int]:
    def work(done: list[int]) -> int:
        done.append(number)
        return number

    return work


async def held(thread: BatchThread[list[int]], worker: GatedWorker) -> asyncio.Task[int]:
    """Keep the thread at work on job 0, which does not finish before the gate opens."""
    first = asyncio.create_task(thread.submit(note(0)))
    await asyncio.to_thread(worker.begun.wait, 10)
    return first


async def test_what_waits_together_is_done_together_and_in_order() -> None:
    worker = GatedWorker()
    thread = BatchThread("worker", 100, worker.perform)
    jobs = [await held(thread, worker), *(asyncio.create_task(thread.submit(note(n))) for n in range(1, 50))]
    await asyncio.sleep(0)
    worker.gate.set()
    assert await asyncio.gather(*jobs) == list(range(50)) == worker.done
    assert worker.batches == [1, 49]
    thread.stop()


async def test_what_a_job_came_to_is_not_kept_until_the_next_job() -> None:
    worker = GatedWorker()
    worker.gate.set()
    thread = BatchThread("worker", 100, worker.perform)
    found = await thread.submit(lambda _: {"a", "result"})
    known = ref(found)
    del found
    await until(lambda: known() is None, 10)
    thread.stop()


async def test_no_more_than_the_limit_may_wait() -> None:
    worker = GatedWorker()
    thread = BatchThread("worker", 3, worker.perform)
    jobs = [await held(thread, worker), *(asyncio.create_task(thread.submit(note(n))) for n in (1, 2, 3))]
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable, match="busy: 3 operations"):
        await thread.submit(note(4))
    worker.gate.set()
    assert await asyncio.gather(*jobs) == [0, 1, 2, 3]
    assert await thread.submit(note(5)) == 5
    thread.stop()


async def test_a_cancelled_job_disturbs_no_other() -> None:
    worker = GatedWorker()
    thread = BatchThread("worker", 10, worker.perform)
    jobs = [await held(thread, worker), *(asyncio.create_task(thread.submit(note(n))) for n in (1, 2))]
    await asyncio.sleep(0)
    jobs[1].cancel()
    worker.gate.set()
    first, second, third = await asyncio.gather(*jobs, return_exceptions=True)
    assert isinstance(second, asyncio.CancelledError)
    assert (first, third) == (0, 2)
    thread.stop()


async def test_stopping_finishes_what_waits_and_refuses_the_rest() -> None:
    worker = GatedWorker()
    thread = BatchThread("worker", 10, worker.perform)
    jobs = [await held(thread, worker), asyncio.create_task(thread.submit(note(1)))]
    await asyncio.sleep(0)
    worker.gate.set()
    await asyncio.to_thread(thread.stop)
    assert await asyncio.gather(*jobs) == [0, 1]
    with pytest.raises(StoreUnavailable, match="closed"):
        await thread.submit(note(2))
    thread.stop()


async def test_a_failure_reaches_its_caller_and_a_bug_reaches_all() -> None:
    def perform(batch: Sequence[Work]) -> Sequence[object]:
        return [Failed(KeyError("refused"))] if batch[0]([]) == 1 else [1 / 0]

    thread = BatchThread("worker", 10, perform)
    with pytest.raises(KeyError, match="refused"):
        await thread.submit(note(1))
    with pytest.raises(ZeroDivisionError):
        await thread.submit(note(2))
    with pytest.raises(KeyError, match="refused"):
        await thread.submit(note(1))
    thread.stop()


def test_a_loop_that_is_gone_is_not_waited_for() -> None:
    worker = GatedWorker()
    thread = BatchThread("worker", 10, worker.perform)

    async def ask_and_leave() -> None:
        (await held(thread, worker)).cancel()

    asyncio.run(ask_and_leave())
    worker.gate.set()
    assert asyncio.run(thread.submit(note(1))) == 1
    thread.stop()
