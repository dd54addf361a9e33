"""Time without any connection, so that a server that a window has started for itself ends when it is not used."""

from __future__ import annotations

from collections.abc import Sized

from server.runtime.clock import Clock


class IdleTime:
    """The time since the last connection. `links`: those that are open; `connection_closed` is called for each that
    ends."""

    def __init__(self, clock: Clock, links: Sized) -> None:
        self._clock = clock
        self._links = links
        self._since = clock.now()

    def connection_closed(self) -> None:
        """Begin the count anew: a connection has ended."""
        self._since = self._clock.now()

    async def wait_for(self, seconds: float) -> None:
        """Return once there has been no connection for so many seconds. Cancelling leaves nothing behind."""
        while True:
            since = self._clock.now() if self._links else self._since
            left = since + seconds - self._clock.now()
            if left <= 0:
                return
            await self._clock.sleep(left)
