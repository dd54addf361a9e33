"""Seconds that this server has been up, by which all expiry is counted that is final for a person.

The wall clock can be set, by people or from the network, and then jumps; seconds of a running server cannot.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NoReturn

from server.runtime.clock import Clock
from server.runtime.logs import Log
from server.store.port import Store, StoreDamaged, StoreError

UPTIME: Final = "uptime"
SECONDS: Final = "seconds"
STORE_SECONDS: Final = 60.0
"""Interval of storing: as much may be lost when the process is killed."""
JUMP_SECONDS: Final = 60


class Uptime:
    """Seconds over all starts of this server, counted from the Unix time of the first one.

    They begin there so that what was counted by the wall clock before goes on. `on_jump` is called for each jump of
    the wall clock.
    """

    def __init__(self, store: Store, clock: Clock, log: Log, on_jump: Callable[[], object] = lambda: None) -> None:
        self._store = store
        self._clock = clock
        self._log = log
        self._on_jump = on_jump
        self._begun = clock.now()
        self._before = self._walled = clock.wall()

    @property
    def seconds(self) -> int:
        """Seconds so far. They never go backwards, but by STORE_SECONDS after a crash."""
        return self._before + int(self._clock.now() - self._begun)

    async def open(self) -> None:
        """Go on where the last start ended. Raises StoreError."""
        stored = await self._store.get_record(UPTIME, SECONDS)
        if stored is not None and not stored.isdigit():
            raise StoreDamaged("how long this server has been up cannot be read")
        self._begun, self._walled = self._clock.now(), self._clock.wall()
        self._before = self._walled if stored is None else int(stored)
        await self.store()

    async def keep(self, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> NoReturn:
        """Store the seconds each minute, until cancelled, and log jumps of the wall clock."""
        while True:
            await pause(STORE_SECONDS)
            self._compare()
            await self.store()

    async def store(self) -> None:
        """Store the seconds, where that can be done."""
        with suppress(StoreError):
            await self._store.put_record(UPTIME, SECONDS, b"%d" % self.seconds)

    def _compare(self) -> None:
        wall = self._clock.wall()
        jump = wall - self._walled - (self._clock.now() - self._begun)
        if abs(jump) > JUMP_SECONDS:
            self._log.warning("clock-jumped", seconds=round(jump))
            self._on_jump()
            self._walled += round(jump)
