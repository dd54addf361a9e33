"""When the interpreter looks for garbage in cycles.

By itself it looks at all that lives whenever that may have grown by a quarter: with hundreds of matches, whose states
come and go, half a second in which nobody is served, every few seconds. What is young it may go on looking at; all of
it is looked at when enough has ended that may have left something behind.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

YOUNG: Final = (20_000, 2, 1_000_000_000)
"""New objects after which the newest are looked at (about a millisecond), how often those before those that were left
over; all: never. Looked at ten times as often, what two hundred matches have just made would mostly be in use still."""
BULK: Final = (200_000, 20, 100)
LOOK_SECONDS: Final = 10.0
SWEEP_SECONDS: Final = 900.0
SWEEP_KILOBYTES: Final = 10_000


@contextmanager
def collect_seldom() -> Iterator[None]:
    """Look seldom meanwhile: for matches in bulk, whose states come and go by the thousand; what holds cycles in them
    is looked at when one has ended."""
    before = gc.get_threshold()
    gc.set_threshold(*BULK)
    try:
        yield
    finally:
        gc.set_threshold(*before)


async def collect_when_due(left_behind: Callable[[], int]) -> NoReturn:
    """Until cancelled, look at all that lives only when so much has been `left_behind` (kilobytes in all, about), or so
    many seconds have passed. What lives when this begins is taken to live for ever, and not looked at at all."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
    loop = asyncio.get_running_loop()
    try:
        while True:
            seen, due = left_behind(), loop.time() + SWEEP_SECONDS
            while left_behind() - seen < SWEEP_KILOBYTES and loop.time() < due:  # noqa: ASYNC110 - a count tells nobody
                await asyncio.sleep(LOOK_SECONDS)
            gc.collect()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
