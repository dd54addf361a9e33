"""Connections that send a thousand messages a second each, from a process of their own, and their effect on others.

`python -m tests.support.faults.hostile.flooding PORT SOCKETS` connects that many guests, says so, and for each line of
input ("go") lets them flood until they are closed; then it prints how long that took, and connects anew.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from protocol.ids import PromptId
from protocol.scene.nodes import Reply
from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Ack, Pong
from tests.support.clients.programs import Program, until
from tests.support.clients.wire import Client
from tests.support.runs.patience import PATIENCE

PER_SECOND = 1_000
TICK = 0.01
SOCKETS_AN_ADDRESS = 10
LEAST_TURNS = 2
REASON = b"session/flood"
CLOSE_FRAME = 0x88
TABLES = 10
PAUSE = 0.25
POLITE = 19


class Flooder(asyncio.Protocol):
    """Connection below any library, so that it costs its own process little."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[tuple[float, int]] = loop.create_future()
        self._read = b""
        self._hello = masked(encode_request(say.Hello(version=VERSION, name="Flo")))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        head = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        key = f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
        transport.write((head + key).encode() + self._hello)

    def data_received(self, data: bytes) -> None:
        self._read = (self._read + data)[-4096:]
        if b"lobby" in self._read and not self.ready.done():
            self.ready.set_result(None)
        at = self._read.rfind(REASON)
        at = at if at >= 4 and self._read[at - 4] == CLOSE_FRAME else -1
        if at >= 0 and not self.closed.done():
            status = self._read[at - 2 : at]
            self.closed.set_result((time.perf_counter(), int.from_bytes(status, "big")))

    def connection_lost(self, exc: Exception | None) -> None:
        for waited in (self.ready, self.closed):
            if not waited.done():
                waited.set_exception(exc or ConnectionError("closed without a word"))


def masked(data: bytes) -> bytes:
    """Return a binary frame as a client must send it."""
    mask = secrets.token_bytes(4)
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return b"\x82" + size + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))


async def flood(flooders: list[Flooder]) -> dict[str, Any]:
    """Flood on all of them at once, until each is closed."""
    intent = say.Intent(id=bytes(16), prompt=PromptId("p"), choice="go")
    frame = masked(encode_request(intent))
    began, sent = time.perf_counter(), 0
    while any(not each.closed.done() for each in flooders) and time.perf_counter() - began < PATIENCE:
        # make up for messages that the busy machine has delayed
        due = round((time.perf_counter() - began + TICK) * PER_SECOND) - sent
        for each in flooders:
            if not each.closed.done():
                each.transport.write(frame * due)
        sent += due
        await asyncio.sleep(TICK)
    assert all(each.closed.done() for each in flooders), "some are still open"
    ends = [each.closed.result() for each in flooders]
    for each in flooders:
        each.transport.abort()
    return {"statuses": sorted({status for _, status in ends}), "worst": max(end for end, _ in ends) - began}


async def connect_all(port: int, count: int, run: int) -> list[Flooder]:
    loop = asyncio.get_running_loop()
    flooders = []
    for number in range(count):
        address = (
            f"127.{run % 200 + 1}.{number // SOCKETS_AN_ADDRESS // 250 + 1}.{number // SOCKETS_AN_ADDRESS % 250 + 1}"
        )
        _, flooder = await loop.create_connection(Flooder, "127.0.0.1", port, local_addr=(address, 0))
        flooders.append(flooder)
    await asyncio.gather(*(flooder.ready for flooder in flooders))
    return flooders


async def main(port: int, count: int, run: int, go: Path) -> None:
    """Connect, report, wait for "go", flood, report the result."""
    # they stand for other machines, so they must not take CPU from server and players
    os.nice(POLITE)
    flooders = await connect_all(port, count, run)
    print(json.dumps({"ready": count}), flush=True)
    await until(go.exists)
    print(json.dumps(await flood(flooders)), flush=True)


class Others:
    """Players at tables, who act and ping as fast as they may, with the times of the answers."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.pairs: list[tuple[Client, Client]] = []
        self._focused: set[Client] = set()

    async def sit_down(self, tables: int) -> None:
        """Seat two players at each table."""
        for number in range(tables):
            place = f"127.250.0.{number + 1}"
            ann, ben = Client(self._port, "Ann", address=place), Client(self._port, "Ben", address=place)
            self.pairs.append((ann, ben))
            await ann.connect()
            await ben.connect()
            await ben.join(await ann.create("endless"))
            await ben.ready()
            await ann.until(lambda ann=ann: ann.talk.table is not None and ann.talk.table.seats[1].ready)  # type: ignore[misc]  # a default has no type
            await ann.say(say.StartMatch())
            await ann.my_turn()

    async def waits(self, seconds: float) -> list[float]:
        """Return the seconds from each message to its answer."""
        found: list[float] = []
        until = time.perf_counter() + seconds
        await asyncio.gather(*(self._play(*pair, until, found) for pair in self.pairs))
        return found

    async def _play(self, ann: Client, ben: Client, until: float, found: list[float]) -> None:
        await asyncio.sleep(secrets.randbelow(1000) / 1000 * PAUSE)
        number = 0
        while time.perf_counter() < until or number < LEAST_TURNS:
            number += 1
            began = time.perf_counter()
            id = ann.talk.intend(Reply("core:undo" if ann in self._focused else "focus"), secrets.token_bytes(16))
            await ann.flush()
            answer = await ann.answer(id)
            assert isinstance(answer, Ack), answer
            self._focused ^= {ann}
            found.append(time.perf_counter() - began)
            began = time.perf_counter()
            await ben.say(say.Ping(n=number))
            await ben.hear(Pong)
            found.append(time.perf_counter() - began)
            ann.heard.clear()
            await asyncio.sleep(PAUSE)

    async def leave(self) -> None:
        """Leave."""
        for client in (each for pair in self.pairs for each in pair):
            await client.close()


async def measure(folder: Path, port: int, sockets: int, pairs: int, seconds: float, tables: int) -> dict[str, Any]:
    """Measure pairs of runs, with the flood and without, one after the other; times in milliseconds."""
    others = Others(port)
    await others.sit_down(tables)
    p99s: dict[bool, list[float]] = {False: [], True: []}
    worst, statuses, waits = 0.0, set(), [0.0]
    for run in range(2 * pairs):
        floods = run % 2 == 1
        go = folder / f"go.{run}"
        program = Program(
            folder, f"flood.{run}", "tests.support.faults.hostile.flooding", *map(str, (port, sockets, run, go))
        )
        await program.start()
        try:
            await program.said()
            if floods:
                go.touch()
            waits = sorted(await others.waits(seconds))
            p99s[floods].append(1000 * waits[int(len(waits) * 0.99)])
            if floods:
                said = await program.said()
                worst = max(worst, float(str(said["worst"])))
                statuses |= set(said["statuses"])  # type: ignore[call-overload]  # JSON: a list
        finally:
            await program.end()
    await others.leave()
    return {
        "worst_close_ms": round(1000 * worst, 1),
        "statuses": sorted(statuses),
        "p99_quiet_ms": round(statistics.median(p99s[False]), 2),
        "p99_flood_ms": round(statistics.median(p99s[True]), 2),
        "samples": len(waits),
    }


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))
