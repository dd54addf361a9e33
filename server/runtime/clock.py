"""Time, injected everywhere, so that tests can let it jump. It never enters rules or dice."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

from server.runtime.tasks import first_of


class Clock(Protocol):
    """The time source of the server."""

    def now(self) -> float:
        """Return seconds that never go backwards; only differences mean anything."""
        ...

    def wall(self) -> int:
        """Return Unix seconds, for people to read."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return `seconds` later, at once where they are not positive. Cancelling leaves nothing behind."""
        ...


class RealClock:
    """The machine's own time."""

    now = staticmethod(time.monotonic)

    def wall(self) -> int:
        return int(time.time())

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(seconds, 0))


def unix_milliseconds() -> int:
    """Return milliseconds of Unix time, by which the records of a store expire."""
    return time.time_ns() // 1_000_000


async def set_or_due(change: asyncio.Event, clock: Clock, due: float) -> None:
    """Return once `change` is set, or at `due` (seconds of `clock.now`), whichever comes first.

    When cancelled, nothing goes on.
    """

    async def ring() -> None:
        # counted from here: time may have passed since the task was made
        await clock.sleep(due - clock.now())

    await first_of(change.wait(), ring())
