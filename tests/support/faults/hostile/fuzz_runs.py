"""Hostile frames by the thousand: at the conversation object, and over sockets at a server with a match on it."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire.codec import encode_request
from protocol.wire.from_client import Hello, KeepName, Ping
from protocol.wire.server_conversation import ServerConversation
from tests.support.faults.hostile.fuzzing import Frames
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.faults.kills.crashing import CrashServer, Pair, check_match
from tests.support.runs.patience import PATIENCE

HELLO = encode_request(Hello(version=VERSION, name="Eve"))
SIGN_IN = encode_request(Hello(version=VERSION, name="Nobody", password="not the password"))
WEAK = encode_request(KeepName(password="password"))
LAST = encode_request(Ping(n=2**40))
HOSES = 8
"""Lasting links at once."""
PARTS = 8
"""After each the match is played on, and memory is looked at."""


def fuzz_conversation(make: Frames, count: int, seed: int) -> dict[str, float]:
    """Hand frames to greeted conversations: each gives messages, an answer, or a close, and never raises."""
    frames = make(random.Random(seed))
    conversation = _greeted()
    # at full size from the start, or its growth would be mistaken for memory kept by the conversation
    took = array("Q", bytes(8 * count))
    messages = refused = 0
    before = 0
    for number, frame in enumerate(islice(frames, count)):
        if number == count // 4:
            gc.collect()
            before = resident(Path("/proc/self/status"))
        began = time.thread_time_ns()
        found = conversation.receive(frame, float(number))
        took[number] = time.thread_time_ns() - began
        answered = bool(conversation.take())
        assert found or answered or conversation.closing, frame.hex()
        messages += len(found)
        refused += answered
        if conversation.closing is not None:
            conversation = _greeted()
    gc.collect()
    growth = (resident(Path("/proc/self/status")) - before) / before
    assert growth < 0.05, f"memory grew by {growth:.1%}"
    worst = {"worst_p99_us": sorted(took)[-count // 100] // 1000, "worst_growth_percent": round(100 * growth, 2)}
    return {"frames": count, "messages": messages, "refused": refused, **worst}


def _greeted() -> ServerConversation:
    conversation = ServerConversation(UNHURRIED, 0.0)
    assert conversation.receive(HELLO, 0.0)
    return conversation


async def fuzz_server(folder: Path, make: Frames, count: int, seed: int) -> dict[str, float]:
    """Send frames to a real server: those that a link survives over several lasting links, the others, one in four,
    over links of their own.

    The match that is played there meanwhile must stay what its players made it, the log must hold no fault, and once a
    quarter of the frames has warmed the server up, its memory must not grow by 5%.
    """
    data = folder / f"server-{seed}" / "data"
    data.mkdir(parents=True)
    log = folder / f"server-{seed}" / "server.log"
    server = CrashServer(data, log, is_measured=True)
    await server.open()
    two = Pair(server)
    frames = _one_in_four_fatal(make(random.Random(seed)))
    hoses: list[Hose] = []
    memory: list[int] = []
    try:
        assert await server.serve()
        await two.seat()
        for _ in range(2):
            await _refused_sign_in(server.port)
        await _refused_password(server.port)
        hoses += [Hose(server.port) for _ in range(HOSES)]
        for start, end in pairwise([count * part // PARTS for part in range(PARTS + 1)]):
            batch = list(islice(frames, end - start))
            await asyncio.gather(*[hose.pour(batch[n::HOSES]) for n, hose in enumerate(hoses)])
            await two.play_on()
            memory.append(resident(Path(f"/proc/{server.pid}/status")))
        await asyncio.gather(*[hose.close() for hose in hoses])
        await server.kill()
        steps = (await check_match(two))["steps"]
    finally:
        await two.close()
        await server.close()
    faults = [line for line in log.read_text().splitlines() if '"level": "error"' in line or "Traceback" in line]
    assert not faults, faults[:3]
    growth = memory[-1] / memory[PARTS // 4 - 1] - 1
    assert growth < 0.05, f"memory grew by {growth:.1%}: {memory}"
    links = sum(hose.links for hose in hoses)
    return {"frames": count, "links": links, "steps": steps, "worst_growth_percent": round(100 * growth, 2)}


def _one_in_four_fatal(frames: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield these frames, without most of those that close a link, each with True where it does."""
    survived = 0
    for frame in frames:
        conversation = _greeted()
        conversation.receive(frame, 0.0)
        is_fatal = conversation.closing is not None
        if is_fatal and survived < 3:
            continue
        survived = 0 if is_fatal else survived + 1
        yield frame, is_fatal


async def _refused_sign_in(port: int) -> None:
    """Sign in with a wrong password: its hash takes 19 MiB, which the allocator keeps from the second time on and which
    is no growth."""
    async with connect(f"ws://127.0.0.1:{port}", subprotocols=[Subprotocol(SUBPROTOCOL)]) as link:
        await link.send(SIGN_IN)
        async with asyncio.timeout(PATIENCE):
            assert b"session/not-signed-in" in bytes(await link.recv(decode=False))


async def _refused_password(port: int) -> None:
    """Ask to keep a name by a weak password: the words that it is weighed by are loaded once, and are no growth."""
    async with connect(f"ws://127.0.0.1:{port}", subprotocols=[Subprotocol(SUBPROTOCOL)]) as link:
        await link.send(HELLO)
        await link.send(WEAK)
        async with asyncio.timeout(PATIENCE):
            while b"password/" not in bytes(await link.recv(decode=False)):
                pass


class Hose:
    """A lasting link, and beside it a short one for each frame that closes its link."""

    def __init__(self, port: int) -> None:
        self.links = 0
        self._port = port
        self._lasting: ClientConnection | None = None

    async def pour(self, frames: Sequence[tuple[bytes, bool]]) -> None:
        """Send these, one after another."""
        for frame, is_fatal in frames:
            if is_fatal:
                short = await self._open()
                assert not await self._survives(short, frame), frame.hex()
                await short.close()
                continue
            self._lasting = self._lasting or await self._open()
            if not await self._survives(self._lasting, frame):
                self._lasting = None

    async def close(self) -> None:
        """Drop the link."""
        if self._lasting is not None:
            await self._lasting.close()

    async def _open(self) -> ClientConnection:
        self.links += 1
        url = f"ws://127.0.0.1:{self._port}/"
        link = await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=2**24, compression=None)
        await link.send(HELLO)
        return link

    async def _survives(self, link: ClientConnection, frame: bytes) -> bool:
        """Send a frame and a ping; return True if the ping is answered, False if the link is closed."""
        with suppress(ConnectionClosed):
            await link.send(frame)
            await link.send(LAST)
            async with asyncio.timeout(PATIENCE):
                while b"pong" not in bytes(await link.recv(decode=False)):
                    pass
            return True
        return False


def resident(status: Path) -> int:
    """Return the memory of a process in kB."""
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])
