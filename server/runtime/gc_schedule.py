"""Schedule of the garbage collector.

By itself the interpreter examines all living objects whenever these may have grown by a quarter: with hundreds of
matches, whose states come and go, that is a pause of half a second every few seconds. Here young objects are examined
as usual, older ones once enough has ended that may have left cycles behind, and all of them seldom. Connections leave
them; a match does not: once its host has been stopped, nothing in it leads round in a circle.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

YOUNG: Final = (20_000, 2, 1_000_000_000)
"""Thresholds of the generations: the youngest is collected after 20,000 new objects (about a millisecond), the middle
one after two of these, the oldest never. Ten times as often, most of what two hundred matches have just made would
still be in use."""
BULK: Final = (200_000, 20, 100)
LOOK_SECONDS: Final = 10.0
SWEEP_KILOBYTES: Final = 10_000
WHOLE_KILOBYTES: Final = 100_000
WHOLE_SECONDS: Final = 900.0


@contextmanager
def collect_seldom() -> Iterator[None]:
    """Collect seldom within the block: for matches in bulk, whose states come and go by the thousand, and whose cycles
    are collected when one has ended."""
    before = gc.get_threshold()
    gc.set_threshold(*BULK)
    try:
        yield
    finally:
        gc.set_threshold(*before)


async def collect_when_due(left_behind: Callable[[], int]) -> NoReturn:
    """Run until cancelled, and collect only when due.

    `left_behind` returns kilobytes of garbage in all, about. After SWEEP_KILOBYTES more, what has come since the last
    sweep is examined; after WHOLE_KILOBYTES more, or WHOLE_SECONDS, everything: that pauses a server of two hundred
    matches for half a second and more. In between what lives is taken to live on.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
    loop = asyncio.get_running_loop()
    try:
        while True:
            whole, due = left_behind() + WHOLE_KILOBYTES, loop.time() + WHOLE_SECONDS
            while left_behind() < whole and loop.time() < due:
                swept = left_behind()
                while left_behind() - swept < SWEEP_KILOBYTES and loop.time() < due:  # noqa: ASYNC110 - a count sends no signal
                    await asyncio.sleep(LOOK_SECONDS)
                gc.collect()
                gc.freeze()
            gc.unfreeze()
            gc.collect()
            gc.freeze()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
