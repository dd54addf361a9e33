"""CPU time by cause: what work uses is counted, and what it waits for is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import thread_time

import pytest

from server.runtime.cpu_time import CpuTimes


def burn(seconds: float) -> None:
    """Use this much CPU time of the thread."""
    until = thread_time() + seconds
    while thread_time() < until:
        pass


async def beside(work: Awaitable[object], steps: Callable[[], object]) -> None:
    """Await work while other steps run in the same loop."""
    task = asyncio.ensure_future(work)
    await asyncio.sleep(0)
    steps()
    await task


async def test_time_of_others_while_work_waits_is_not_counted() -> None:
    cpu, gate = CpuTimes(1), asyncio.Event()

    async def work() -> str:
        burn(0.01)
        await gate.wait()
        burn(0.01)
        return "done"

    def others() -> None:
        burn(0.05)
        gate.set()

    await beside(cpu.sampled("acts", work()), others)
    assert 0.02 <= cpu.seconds["acts"] < 0.045
    assert cpu.seconds["bots"] == 0.0


async def test_results_failures_and_cancellation_pass_through() -> None:
    cpu = CpuTimes(1)
    seen: list[str] = []

    async def gives() -> int:
        await asyncio.sleep(0)
        return 7

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    assert await cpu.sampled("bots", gives()) == 7
    with pytest.raises(ValueError, match="no"):
        await cpu.sampled("bots", fails())

    async def outer() -> None:
        await cpu.sampled("bots", waits())

    task = asyncio.ensure_future(outer())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == ["cancelled"]


async def test_one_of_so_many_stands_for_all() -> None:
    cpu = CpuTimes(4)
    for _ in range(5):
        await cpu.sampled("acts", asyncio.sleep(0))
    one = cpu.seconds["acts"]

    async def work() -> None:
        burn(0.01)

    for _ in range(3):
        await cpu.sampled("acts", work())
    assert cpu.seconds["acts"] == one
    await cpu.sampled("acts", work())
    assert 0.04 <= cpu.seconds["acts"] - one < 0.1
