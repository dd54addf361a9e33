"""Waits that end at a change, or at a time."""

from __future__ import annotations

import asyncio

import pytest

from server.runtime.clock import set_or_due
from tests.support.doubles.clock import JumpingClock
from tests.support.runs.patience import PATIENCE

DUE = 3.0


async def test_a_wait_ends_at_the_change() -> None:
    clock, change = JumpingClock(), asyncio.Event()
    waiting = asyncio.create_task(set_or_due(change, clock, clock.now() + DUE))
    await clock.until_sleeping()
    change.set()
    async with asyncio.timeout(PATIENCE):
        await waiting


async def test_a_wait_ends_at_its_time_and_no_sooner() -> None:
    clock = JumpingClock()
    waiting = asyncio.create_task(set_or_due(asyncio.Event(), clock, clock.now() + DUE))
    await clock.until_sleeping()
    clock.advance(DUE - 0.1)
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    clock.advance(0.1)
    async with asyncio.timeout(PATIENCE):
        await waiting


@pytest.mark.parametrize("turns", range(4))
async def test_time_that_passes_before_the_alarm_begins_counts(turns: int) -> None:
    clock = JumpingClock()
    waiting = asyncio.create_task(set_or_due(asyncio.Event(), clock, clock.now() + DUE))
    for _ in range(turns):
        await asyncio.sleep(0)
    clock.advance(DUE)
    async with asyncio.timeout(PATIENCE):
        await waiting


async def test_a_wait_that_is_cancelled_leaves_nothing() -> None:
    clock = JumpingClock()
    waiting = asyncio.create_task(set_or_due(asyncio.Event(), clock, clock.now() + DUE))
    await clock.until_sleeping()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    for _ in range(10):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
