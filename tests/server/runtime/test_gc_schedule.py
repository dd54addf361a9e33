"""The garbage collector runs when enough has been left behind, and afterwards as it did before."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest

from server.runtime import gc_schedule
from server.runtime.gc_schedule import YOUNG, collect_when_due


@pytest.fixture(autouse=True)
def _frozen_again() -> Iterator[None]:
    """Leave what stays to the end of all tests out of collections again."""
    yield
    gc.freeze()


class Knot:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.other = self


async def test_all_is_looked_at_when_enough_has_been_left_behind_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gc_schedule, "LOOK_SECONDS", 0.0)
    before, left = gc.get_threshold(), 0
    task = asyncio.create_task(collect_when_due(lambda: left))
    await asyncio.sleep(0)
    assert gc.get_threshold() == YOUNG
    assert gc.get_freeze_count()
    knot = weakref.ref(Knot())
    for generation in (0, 1):
        gc.collect(generation)
    old = weakref.ref(found := Knot())
    for generation in (0, 1):
        gc.collect(generation)
    del found
    assert knot() is None
    assert old() is not None
    await turns(lambda: False)
    assert old() is not None
    left = gc_schedule.SWEEP_KILOBYTES
    await turns(lambda: old() is None)
    assert old() is None
    await ended(task)
    assert gc.get_threshold() == before
    assert not gc.get_freeze_count()


async def test_what_outlived_a_sweep_is_looked_at_again_when_much_has_been_left_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gc_schedule, "LOOK_SECONDS", 0.0)
    left = 0
    task = asyncio.create_task(collect_when_due(lambda: left))
    await asyncio.sleep(0)
    old = weakref.ref(found := Knot())
    frozen = gc.get_freeze_count()
    left = gc_schedule.SWEEP_KILOBYTES
    await turns(lambda: gc.get_freeze_count() > frozen)
    del found
    left += gc_schedule.SWEEP_KILOBYTES
    await turns(lambda: False)
    assert old() is not None
    left = gc_schedule.WHOLE_KILOBYTES
    await turns(lambda: old() is None)
    assert old() is None
    await ended(task)


async def turns(is_done: Callable[[], bool]) -> None:
    """Let a thousand turns of the loop go by, or those until something is done."""
    for _ in range(1_000):
        await asyncio.sleep(0)
        if is_done():
            break


async def ended(task: asyncio.Task[NoReturn]) -> None:
    """Cancel the schedule."""
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
