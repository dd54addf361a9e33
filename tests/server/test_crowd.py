"""Spectators are served in turn, whatever becomes of one job."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from server.crowd import Crowd, Gate, Untold
from tests.support.programs import until


async def test_what_waits_behind_a_job_that_fails_is_done() -> None:
    crowd, done, failed = Crowd(Gate()), [], []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: failed.append(about["exception"]))

    def fail() -> Iterator[None]:
        yield
        raise ValueError

    def job(number: int) -> Iterator[None]:
        done.append(number)
        yield

    crowd.add(fail)
    crowd.add(lambda: job(1))
    await until(lambda: done == [1] and len(failed) == 1, 5)
    crowd.add(lambda: job(2))
    await until(lambda: done == [1, 2] and crowd._task is None, 5)


async def test_nothing_is_done_after_the_end() -> None:
    crowd, done = Crowd(Gate()), []

    def job() -> Iterator[None]:
        done.append(1)
        yield

    crowd.add(job)
    (ending,) = crowd.stop()
    await asyncio.gather(ending, return_exceptions=True)
    assert ending.cancelled() and not done


async def test_what_gathers_until_its_turn_comes_is_told_together_and_in_order() -> None:
    crowd, told = Crowd(Gate()), []

    def tell(words: list[str]) -> Iterator[None]:
        told.append(words)
        if len(told) == 1:
            untold.add("meanwhile")
        yield

    untold = Untold(crowd, tell)
    untold.add("first")
    untold.add("second")
    assert not told
    await until(lambda: len(told) == 2, 5)
    assert told == [["first", "second"], ["meanwhile"]]
    await asyncio.gather(*crowd.stop(), return_exceptions=True)
