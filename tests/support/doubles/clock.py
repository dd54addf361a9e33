"""A clock that stands still until a test lets it jump."""

from __future__ import annotations

import asyncio

from tests.support.runs.patience import PATIENCE


class JumpingClock:
    """Implementation of the server's Clock. Sleepers wake, in the order they are due, when `advance` passes them."""

    def __init__(self) -> None:
        self._now = 1_000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._one_more = asyncio.Event()

    def now(self) -> float:
        return self._now

    def wall(self) -> int:
        return 1_800_000_000 + int(self._now)

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper = (self._now + seconds, asyncio.get_running_loop().create_future())
        self._sleepers.append(sleeper)
        self._one_more.set()
        try:
            await sleeper[1]
        finally:
            if sleeper in self._sleepers:
                self._sleepers.remove(sleeper)

    def advance(self, seconds: float) -> None:
        """Let time jump."""
        self._now += seconds
        for due, future in sorted(self._sleepers, key=lambda sleeper: sleeper[0]):
            if due <= self._now and not future.done():
                future.set_result(None)

    def soonest(self) -> float:
        """Return the seconds until the first sleeper wakes; infinity without sleepers."""
        return min((due - self._now for due, _ in self._sleepers), default=float("inf"))

    def sleeping(self, seconds: float) -> int:
        """Return the number of sleepers for at least this time from now."""
        return sum(due - self._now >= seconds for due, _ in self._sleepers)

    async def until_sleeping(self, count: int = 1) -> None:
        """Wait until at least `count` sleepers wait."""
        async with asyncio.timeout(PATIENCE):
            while len(self._sleepers) < count:
                self._one_more.clear()
                await self._one_more.wait()


class ImpatientClock(JumpingClock):
    """Clock on which short waits are over at once: for programs that no test waits for."""

    def __init__(self, short: float) -> None:
        super().__init__()
        self._short = short

    async def sleep(self, seconds: float) -> None:
        if 0 < seconds <= self._short:
            self.advance(seconds)
        else:
            await super().sleep(seconds)
