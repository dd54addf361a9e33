"""Messages on their way into WebSockets: a frame that goes to many is made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websockets.protocol import State

from server.raw_frames import BINARY, LENGTH_OF_2, LENGTH_OF_8

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection


class Framer:
    """Frames of RFC 6455, section 5.2. A server's are not masked, so that they are the same bytes for everybody; who
    tells many one thing tells it one after another, so that the last frames made are all that is worth keeping."""

    def __init__(self) -> None:
        self._parts: tuple[bytes, ...] = ()
        self._frames = b""

    def framed(self, parts: tuple[bytes, ...]) -> bytes:
        """The whole binary frames that carry these messages, one after another."""
        # the same objects are equal without a look at their bytes
        if parts != self._parts:
            self._parts, self._frames = parts, b"".join([_head(len(data)) + data for data in parts])
        return self._frames


def _head(size: int) -> bytes:
    """How an unmasked binary frame of one piece begins: as the library writes it, which takes five times as long."""
    if size < LENGTH_OF_2:
        return bytes((BINARY, size))
    if size < 65_536:
        return bytes((BINARY, LENGTH_OF_2)) + size.to_bytes(2, "big")
    return bytes((BINARY, LENGTH_OF_8)) + size.to_bytes(8, "big")


class Link:
    """A WebSocket as a session wants it: what is sent into a closed one is lost, without a word. At most `most` bytes
    and what is offered at once wait in the process beside the session's queue."""

    __slots__ = ("_framer", "_most", "_protocol", "_socket", "_transport")

    def __init__(self, socket: ServerConnection, most: int, framer: Framer) -> None:
        self._socket = socket
        # every step goes to six, and each object that is looked at on the way is one more to be fetched from memory
        self._transport, self._protocol = socket.transport, socket.protocol
        self._most = most
        self._framer = framer

    def send_now(self, parts: tuple[bytes, ...]) -> bool:
        """As websockets.broadcast does it: between its calls the library keeps nothing back, and of fragments, into
        which another frame must not be put, the server sends none."""
        transport = self._transport
        if transport.is_closing() or transport.get_write_buffer_size() >= self._most:
            return False
        if self._protocol.state is State.OPEN:
            transport.write(self._framer.framed(parts))
        return True

    @property
    def latency(self) -> float:
        return self._socket.latency

    async def send(self, data: bytes) -> None:
        await self._socket.send(data)

    async def close(self, code: int, reason: str) -> None:
        await self._socket.close(code, reason)
