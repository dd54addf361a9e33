"""Very many sockets that begin a request and never end it, from many addresses of 127.0.0.0/8."""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire.codec import encode_request
from protocol.wire.from_client import Hello
from tests.support.clients.programs import until
from tests.support.faults.kills.killing import ServerProcess

Kind = Literal["half handshake", "half frame", "no pong"]
KINDS: Final[tuple[Kind, ...]] = ("half handshake", "half frame", "no pong")
EACH_ADDRESS: Final = 5
TRICKLE_SECONDS: Final = 0.5
AT_ONCE: Final = 100


class Lingerer:
    """One socket that lingers. `opened` and `freed`: seconds of the monotonic clock."""

    def __init__(self, kind: Kind, address: str) -> None:
        self.kind = kind
        self.address = address
        self.opened = self.freed = 0.0
        self.was_let_in = False

    async def linger(self, port: int, begun: asyncio.Semaphore) -> None:
        """Begin, then trickle or be silent until the server hangs up."""
        async with begun:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(self.address, 0))
            self.opened = time.monotonic()
            if self.kind != "half handshake":
                await self._shake_hands(reader, writer)
            self.opened = time.monotonic()
        with suppress(ConnectionError):
            await asyncio.gather(self._hear(reader), self._trickle(writer))
        self.freed = time.monotonic()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _shake_hands(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            answer = await reader.readuntil(b"\r\n\r\n")
            self.was_let_in = b" 101 " in answer
        if self.kind == "no pong":
            writer.write(frame(encode_request(Hello(version=VERSION, name="Silent"))))

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        while await reader.read(65_536):
            pass
        raise ConnectionResetError

    async def _trickle(self, writer: asyncio.StreamWriter) -> None:
        """Send a byte now and then: of a handshake, or of a frame of 10,000 bytes; nothing where a missing pong is
        under test."""
        said = b"GET / HTTP/1.1\r\nX-Padding: " if self.kind == "half handshake" else b"\x82\xfe\x27\x10abcd"
        if self.kind == "no pong":
            return
        for place in range(10_000):
            writer.write(said[place : place + 1] or b"x")
            await writer.drain()
            await asyncio.sleep(TRICKLE_SECONDS)


def frame(data: bytes) -> bytes:
    """Return a binary WebSocket frame of a client, under a mask of zeros."""
    return bytes([0x82, 0x80 | 126]) + len(data).to_bytes(2, "big") + bytes(4) + data


class Visitors:
    """Clients who come meanwhile, one after another, each from an address of their own."""

    def __init__(self) -> None:
        self.welcomed = 0
        self.refused: list[str] = []
        self.slowest = 0.0

    async def keep_coming(self, port: int, until: Callable[[], bool]) -> None:
        """Connect, greet, be welcomed, leave, for ever."""
        while not until():
            begun = time.monotonic()
            number = self.welcomed + len(self.refused)
            try:
                await self._visit(port, f"127.200.{number // 250}.{number % 250 + 1}")
                self.welcomed += 1
            except (OSError, WebSocketException, AssertionError) as problem:
                self.refused.append(repr(problem))
            self.slowest = max(self.slowest, time.monotonic() - begun)
            await asyncio.sleep(0.1)

    async def _visit(self, port: int, address: str) -> None:
        url = f"ws://127.0.0.1:{port}/"
        async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], local_addr=(address, 0)) as socket:
            await socket.send(encode_request(Hello(version=VERSION, name="Ann")))
            assert await socket.recv()


def sockets_of(pid: int) -> int:
    """Return the number of open sockets of a process."""
    found = 0
    for place in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found += str(place.readlink()).startswith("socket:")
    return found


async def linger_at(server: ServerProcess, count: int, freed_seconds: float) -> dict[str, float]:
    """Run that many lingerers of all kinds, and visitors beside them; return counts of what happened. The sockets that
    the server holds are counted as soon as none is left of them, after `freed_seconds` at the latest."""
    before = sockets_of(server.pid)
    lingerers = [
        Lingerer(KINDS[n % len(KINDS)], f"127.{1 + n // EACH_ADDRESS // 250}.0.{n // EACH_ADDRESS % 250 + 1}")
        for n in range(count)
    ]
    gate = asyncio.Semaphore(AT_ONCE)
    tasks = [asyncio.create_task(one.linger(server.port, gate)) for one in lingerers]
    visitors = Visitors()
    visiting = asyncio.create_task(visitors.keep_coming(server.port, lambda: all(task.done() for task in tasks)))
    await asyncio.gather(*tasks)
    await visiting
    freed = {kind: max(one.freed - one.opened for one in lingerers if one.kind == kind) for kind in KINDS}
    with suppress(TimeoutError):
        await until(lambda: sockets_of(server.pid) <= before, freed_seconds)
    let_in = sum(one.was_let_in for one in lingerers)
    return {
        "sockets": count,
        "let_in": let_in,
        "half_handshake_worst": freed["half handshake"],
        "half_frame_worst": freed["half frame"],
        "no_pong_worst": freed["no pong"],
        "visitors": visitors.welcomed,
        "refused": len(visitors.refused),
        "visit_worst": visitors.slowest,
        "left_open": max(sockets_of(server.pid) - before, 0),
    }
