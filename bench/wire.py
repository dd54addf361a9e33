"""Lean WebSocket client, so that the load costs little. RFC 6455 without text and fragments.

The mask of every frame is zero, which masks nothing and is allowed: masking protects proxies, and here are none.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from typing import Final, cast

from protocol.ids import BEGINNING
from protocol.text import Text
from protocol.version import SUBPROTOCOL
from protocol.wire.codec import encode
from protocol.wire.from_server import Delta, Reject

# First bytes of frames, behind the byte that counts their fields: the only ones read while the clock runs.
PUBLIC: Final = encode(Delta(n=BEGINNING, patch={}, hash=0)).partition(b"\x00")[0][1:]
PRIVATE: Final = encode(Delta(part="private", n=BEGINNING, patch={}, hash=0)).partition(b"\x00")[0][1:]
REJECT: Final = encode(Reject(bytes(16), "", Text(""))).partition(b"\xa2id")[0][1:]
_NO_MASK: Final = bytes(4)


def framed(data: bytes, opcode: int = 2) -> bytes:
    """Return a client's frame."""
    size = len(data)
    if size < 126:
        return bytes((0x80 | opcode, 0x80 | size)) + _NO_MASK + data
    return bytes((0x80 | opcode, 0x80 | 126)) + struct.pack("!H", size) + _NO_MASK + data


class Wire(asyncio.Protocol):
    """One connection. `frame_received` is called with every binary frame, `read_ended` when all frames of one read were
    handled."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._data = b""
        self._transport: asyncio.Transport | None = None
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.is_lost = False

    def frame_received(self, data: bytes) -> None:
        """Handle a binary frame."""

    def read_ended(self) -> None:
        """Handle the end of one read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's by type
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("refused"))

    def data_received(self, data: bytes) -> None:
        if self._data:
            data = self._data + data
            self._data = b""
        if not self.opened.done():
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._data = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head[:60].decode()))
                return
            self.opened.set_result(None)
        self._take(data)

    def _take(self, data: bytes) -> None:
        start, end = 0, len(data)
        while end - start >= 2:
            size, body = data[start + 1], start + 2
            if size == 126:
                size, body = int.from_bytes(data[start + 2 : start + 4], "big"), start + 4
            elif size == 127:
                size, body = int.from_bytes(data[start + 2 : start + 10], "big"), start + 10
            if body + size > end:
                break
            opcode = data[start] & 15
            if opcode == 2:
                self.frame_received(data[body : body + size])
            elif opcode == 9:
                self._write(framed(data[body : body + size], 10))
            start = body + size
        self._data = data[start:]
        self.read_ended()

    def send(self, data: bytes) -> None:
        """Send a binary frame."""
        self._write(framed(data))

    def close(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)
