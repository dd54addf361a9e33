"""Since when nobody has been connected: a server that a window started for itself does not outlive its use."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.runtime.clock import Clock


class IdleTime:
    """`links`: those who are connected now. Whoever takes one out of them says so by `gone`."""

    def __init__(self, clock: Clock, links: Sized) -> None:
        self._clock = clock
        self._links = links
        self._since = clock.now()

    def connection_closed(self) -> None:
        """A connection has ended."""
        self._since = self._clock.now()

    async def wait_for(self, seconds: float) -> None:
        """Return once nobody has been connected for so long. Cancelling leaves nothing behind."""
        while True:
            since = self._clock.now() if self._links else self._since
            left = since + seconds - self._clock.now()
            if left <= 0:
                return
            await self._clock.sleep(left)
