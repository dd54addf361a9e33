"""Hours of a server whose clock a test lets jump."""

from __future__ import annotations

from typing import Final

from tests.support.clients.programs import until
from tests.support.doubles.clock import JumpingClock

HOUR: Final = 3600.0
HOURLY: Final = 2
"""What a server does each hour: it looks after its tables, and forgets accounts."""


async def hours(clock: JumpingClock, count: int) -> None:
    """Let hours pass one by one, each with all that the server does at its end."""
    for _ in range(count):
        await until(lambda: clock.sleeping(HOUR) >= HOURLY)
        clock.advance(HOUR)
    await until(lambda: clock.sleeping(HOUR) >= HOURLY)
