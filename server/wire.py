"""Messages on their way into WebSockets: a frame that goes to many is made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websockets.frames import Frame, Opcode
from websockets.protocol import State

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection


class Framer:
    """Frames of RFC 6455, section 5.2. A server's are not masked, so that they are the same bytes for everybody; who
    tells many one thing tells it one after another, so that the last frame made is all that is worth keeping."""

    def __init__(self) -> None:
        self._data: bytes | None = None
        self._frame = b""

    def framed(self, data: bytes) -> bytes:
        """The whole binary frame that carries these bytes."""
        if data is not self._data:
            self._data, self._frame = data, Frame(Opcode.BINARY, data).serialize(mask=False)
        return self._frame


class Link:
    """A WebSocket as a session wants it: what is sent into a closed one is lost, without a word. At most `most` bytes
    and one message wait in the process beside the session's queue."""

    def __init__(self, socket: ServerConnection, most: int, framer: Framer) -> None:
        self._socket = socket
        self._most = most
        self._framer = framer

    def send_now(self, data: bytes) -> bool:
        """As websockets.broadcast does it: between its calls the library keeps nothing back, and of fragments, into
        which another frame must not be put, the server sends none."""
        transport = self._socket.transport
        if transport.is_closing() or transport.get_write_buffer_size() >= self._most:
            return False
        if self._socket.protocol.state is State.OPEN:
            transport.write(self._framer.framed(data))
        return True

    @property
    def latency(self) -> float:
        return self._socket.latency

    async def send(self, data: bytes) -> None:
        await self._socket.send(data)

    async def close(self, code: int, reason: str) -> None:
        await self._socket.close(code, reason)
