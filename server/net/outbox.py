"""Messages on their way into WebSockets: gathered for one loop turn, and encoded once however many clients get them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.protocol import OPEN

BINARY: Final = 0x82
LENGTH_OF_2: Final = 126
LENGTH_OF_8: Final = 127


def framed(parts: tuple[bytes, ...]) -> bytes:
    """Return the whole binary frames that carry these messages, one after another (RFC 6455, section 5.2)."""
    return b"".join([_HEADS[len(data)] + data for data in parts])


def _head(size: int) -> bytes:
    """Return the head of an unmasked binary frame in one piece: as the library writes it, which takes five times as
    long."""
    if size < LENGTH_OF_2:
        return bytes((BINARY, size))
    if size < 65_536:
        return bytes((BINARY, LENGTH_OF_2)) + size.to_bytes(2, "big")
    return bytes((BINARY, LENGTH_OF_8)) + size.to_bytes(8, "big")


class _Heads(dict[int, bytes]):
    """Heads of frames by their size; those of most are made once."""

    def __missing__(self, size: int) -> bytes:
        return _head(size)


_HEADS: Final = _Heads({size: _head(size) for size in range(1024)})


class Outbox:
    """A gatherer of all that one loop turn sends, which it writes in the next turn, to each socket in one piece.

    A call of the operating system pushes much of the program's memory out of the processor's caches, so all work is
    done first, and all writing after it. `before` is called just before the writing, for messages that go with the
    others. `count` is told of messages that so many sockets have been sent.
    """

    def __init__(
        self, before: Callable[[], None], count: Callable[[tuple[bytes, ...], int], None] = lambda parts, times: None
    ) -> None:
        self._before = before
        self.count = count
        # a server's frames are not masked, so that they are the same bytes for all clients; a message to many is put
        # for one after another, so that only the last frames made are worth keeping
        self._parts: tuple[bytes, ...] = ()
        self._frames = b""
        self._size = 0
        self._times = 0
        self._waiting: dict[OutboundSocket, bytes] = {}

    def put(self, link: OutboundSocket, parts: tuple[bytes, ...]) -> int:
        """Queue these messages for a socket, and return their size as frames, in bytes."""
        # identical objects compare equal without a comparison of their bytes
        if parts != self._parts:
            self._count()
            self._parts, self._frames = parts, framed(parts)
            self._size = len(self._frames)
        self._times += 1
        waiting = self._waiting
        if not waiting:
            asyncio.get_running_loop().call_soon(self._end_turn)
        # most get one piece in a turn, and few more than three
        waiting[link] = waiting[link] + self._frames if link in waiting else self._frames
        return self._size

    def _end_turn(self) -> None:
        try:
            self._before()
        finally:
            self.flush()

    def flush(self) -> None:
        """Write all that waits now."""
        self._count()
        waiting, self._waiting = self._waiting, {}
        for link, frames in waiting.items():
            link.write(frames)

    def _count(self) -> None:
        if self._times:
            times, self._times = self._times, 0
            self.count(self._parts, times)


class OutboundSocket:
    """The sending side of a WebSocket, as a session uses it. What is sent into a closed one is dropped silently.

    At most `most` bytes, and the messages of one call, wait in the process beside the session's queue.
    """

    __slots__ = ("_most", "_outbox", "_protocol", "_socket", "_transport", "_waiting")

    def __init__(self, socket: ServerConnection, most: int, outbox: Outbox) -> None:
        self._socket = socket
        # each step goes to six sockets, and each object on the way is one more to be fetched from memory
        self._transport, self._protocol = socket.transport, socket.protocol
        self._most = most
        self._outbox = outbox
        self._waiting = 0

    def send_now(self, parts: tuple[bytes, ...]) -> bool:
        """Queue these messages for the end of this loop turn; return False, and queue nothing, where too much waits
        already."""
        if self._waiting + self._transport.get_write_buffer_size() >= self._most:
            return False
        self._waiting += self._outbox.put(self, parts)
        return True

    def write(self, frames: bytes) -> None:
        """Hand these whole frames to the transport, as websockets.broadcast does: between its calls the library keeps
        nothing back, and the server sends no fragments, between which another frame must not come."""
        self._waiting = 0
        if self._protocol.state is OPEN and not self._transport.is_closing():
            self._transport.write(frames)

    @property
    def latency(self) -> float:
        return self._socket.latency

    async def send(self, data: bytes) -> None:
        self._outbox.flush()
        self._outbox.count((data,), 1)
        await self._socket.send(data)

    async def close(self, code: int, reason: str) -> None:
        self._outbox.flush()
        await self._socket.close(code, reason)
