"""A relay that can be cut, in a thread of its own, for tests whose own thread is busy with a window."""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType

from tests.support.doubles.relay import Relay
from tests.support.runs.patience import PATIENCE


class RelayThread:
    """Relay of every connection to one port, begun and ended with `with`."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self._relay = Relay(target)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_over: asyncio.Event | None = None
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="relay")

    def __enter__(self) -> RelayThread:
        self._thread.start()
        assert self._is_ready.wait(PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._loop is not None
        assert self._is_over is not None
        self._loop.call_soon_threadsafe(self._is_over.set)
        self._thread.join(PATIENCE)

    def cut(self) -> None:
        """Break all connections at once."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._relay.cut)

    async def _run(self) -> None:
        self._loop, self._is_over = asyncio.get_running_loop(), asyncio.Event()
        async with self._relay as relay:
            self.port = relay.port
            self._is_ready.set()
            await self._is_over.wait()
