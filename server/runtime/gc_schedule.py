"""Schedule of the garbage collector.

By itself the interpreter examines all living objects whenever these may have grown by a quarter: with hundreds of
matches, whose states come and go, that is a pause of half a second every few seconds. Here young objects are examined
as usual, and all of them only when enough has ended that may have left cycles behind: connections. A match leaves none;
once its host has been stopped, nothing in it leads round in a circle.
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
SWEEP_SECONDS: Final = 900.0
SWEEP_KILOBYTES: Final = 10_000


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
    """Run until cancelled, and collect in full only when due: after SWEEP_KILOBYTES more of `left_behind`, or
    SWEEP_SECONDS.

    `left_behind` returns kilobytes in all, about. Objects that live when this begins are taken to live for ever, and
    not examined at all.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
    loop = asyncio.get_running_loop()
    try:
        while True:
            seen, due = left_behind(), loop.time() + SWEEP_SECONDS
            while left_behind() - seen < SWEEP_KILOBYTES and loop.time() < due:  # noqa: ASYNC110 - a count sends no signal
                await asyncio.sleep(LOOK_SECONDS)
            gc.collect()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
