"""Tasks that begin at once, and go on as any task does."""

import asyncio
from contextlib import suppress

import pytest

from tests.support.doubles.supervisor import supervisor


async def test_what_waits_for_nothing_is_done_when_the_call_returns() -> None:
    done: list[str] = []

    async def work() -> None:
        done.append("all")

    assert supervisor().begin_now(work(), "work") is None
    assert done == ["all"]


async def test_what_waits_has_begun_when_the_call_returns_and_is_ended_by_a_task() -> None:
    first, second = asyncio.Event(), asyncio.get_running_loop().create_future()
    done: list[object] = []

    async def work() -> None:
        done.append("begun")
        await first.wait()
        done.append(await second)
        await asyncio.sleep(0)
        done.append(asyncio.current_task())

    task = supervisor().begin_now(work(), "work")
    assert task is not None
    assert done == ["begun"]
    second.set_result("second")
    first.set()
    await task
    assert done == ["begun", "second", task]


async def test_what_its_first_wait_raises_is_raised_in_the_work() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    raised: list[str] = []

    async def work() -> None:
        for waited in (future, asyncio.sleep(0)):
            try:
                await waited
            except OSError as problem:
                raised.append(str(problem))

    task = supervisor().begin_now(work(), "work")
    assert task is not None
    future.set_exception(OSError("full"))
    await task
    assert raised == ["full"]


@pytest.mark.parametrize("turns", [0, 3])
async def test_it_can_be_cancelled_where_it_waits_before_its_task_has_had_a_turn_or_after(turns: int) -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            ended.append("cancelled")

    task = supervisor().begin_now(work(), "work")
    assert task is not None
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    assert ended == ["cancelled"]


async def test_what_it_raises_later_is_raised_to_whoever_waits_for_it() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise ValueError("a bug")

    task = supervisor().begin_now(work(), "work")
    assert task is not None
    with pytest.raises(ValueError, match="a bug"):
        await task
