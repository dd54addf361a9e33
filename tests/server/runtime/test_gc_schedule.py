"""The garbage collector runs when enough has been left behind, and afterwards as it did before."""

import asyncio
import gc
import weakref

import pytest

from server.runtime import gc_schedule
from server.runtime.gc_schedule import YOUNG, collect_when_due


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
    for _ in range(100):
        await asyncio.sleep(0)
    assert old() is not None
    left = gc_schedule.SWEEP_KILOBYTES
    for _ in range(1_000):
        await asyncio.sleep(0)
        if old() is None:
            break
    assert old() is None
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gc.get_threshold() == before
    assert not gc.get_freeze_count()
