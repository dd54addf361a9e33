"""Health of the process: lag of the event loop, and readiness for new people."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from server.runtime.metrics import Metrics
from server.store.port import Store, StoreError

BEAT_SECONDS: Final = 0.1
STUCK_SECONDS: Final = 5.0
PROBE_SECONDS: Final = 2.0
PROBE: Final = "probe"


class Health:
    """Health state, written by the event loop. Other threads may read its single numbers."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._beat = time.monotonic()
        self._opened = False
        self._stopping = False
        self._is_taken_over = False

    def opened(self) -> None:
        """Note that the lobby is open and the gateway listens."""
        self._opened = True

    def stop(self) -> None:
        """Note that the server ends and takes no new people."""
        self._stopping = True

    def store_taken_over(self) -> None:
        """Note that another server has taken the store over."""
        self._is_taken_over = True

    @property
    def promise(self) -> str:
        """What the store promises: see Store.promise."""
        return self._store.promise

    async def beat(self) -> None:
        """Measure for ever how much later than asked the loop wakes up, by the machine's own clock."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
            self._beat = time.monotonic()
            self._metrics.loop_lag.add(max(self._beat - before - BEAT_SECONDS, 0.0))

    @property
    def stuck(self) -> float:
        """Seconds for which the event loop has not run; 0 for less than STUCK_SECONDS."""
        silent = time.monotonic() - self._beat
        return silent if silent > STUCK_SECONDS else 0.0

    async def unready(self) -> str:
        """Return why no people should be sent here, empty where they may come. Writes one record to find out; 2 s at
        most."""
        if self._is_taken_over:
            return "another server has taken the store over"
        if self._stopping:
            return "stopping"
        if not self._opened:
            return "starting"
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._store.put_record(PROBE, "ready", b"")
        except TimeoutError:
            return "the store does not answer"
        except StoreError as problem:
            return str(problem)
        return ""
