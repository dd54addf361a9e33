"""Time, injected everywhere, so that tests can let it jump. It never enters rules or dice."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What the server asks about time."""

    def now(self) -> float:
        """Seconds that never go backwards; only differences mean anything."""
        ...

    def wall(self) -> int:
        """Unix seconds, for people to read."""
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
