"""A TCP relay on loopback that can be cut, between a client and its server."""

from __future__ import annotations

import asyncio
from contextlib import suppress

CHUNK = 1 << 16


class Relay:
    """Relay of every connection to one port. `cut` breaks all open ones without closing messages. With `mute` the
    target's bytes are lost, with `is_pulled` all bytes; bytes are carried on after `delay` seconds."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.links = 0
        self.mute = False
        self.is_pulled = False
        self.delay = 0.0
        self._target = target
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Relay:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def cut(self) -> None:
        """Break all connections at once."""
        for writer in self._writers:
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.links += 1
        there, onward = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers |= {writer, onward}
        for source, drain in ((reader, onward), (there, writer)):
            task = asyncio.create_task(self._carry(source, drain, is_answer=drain is writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, source: asyncio.StreamReader, drain: asyncio.StreamWriter, *, is_answer: bool) -> None:
        with suppress(ConnectionError):
            while data := await source.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self.is_pulled or (self.mute and is_answer):
                    continue
                drain.write(data)
                await drain.drain()
        self._writers.discard(drain)
        drain.transport.abort()
