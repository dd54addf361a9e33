"""Hostile frames by the thousand: at the conversation object, and over sockets at a server with a match on it."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.codec import encode_request
from protocol.from_client import Hello, Ping
from protocol.limits import SUBPROTOCOL
from protocol.server_conversation import ServerConversation
from tests.support.crash_server import UNHURRIED
from tests.support.crashing import CrashServer, Pair, check_match
from tests.support.fuzzing import Frames

HELLO = encode_request(Hello(t="hello", version=1, name="Eve"))
LAST = encode_request(Ping(t="ping", n=2**40))
PATIENCE = 30.0


def fuzz_conversation(make: Frames, count: int, seed: int) -> dict[str, float]:
    """Hand so many frames to greeted conversations: each gives messages, an answer, or a close, and never raises."""
    frames = make(random.Random(seed))
    conversation = _greeted()
    took: list[int] = []
    messages = refused = 0
    before = 0
    for number, frame in enumerate(islice(frames, count)):
        if number == count // 10:
            gc.collect()
            before = resident(Path("/proc/self/status"))
        began = time.perf_counter_ns()
        found = conversation.receive(frame, float(number))
        took.append(time.perf_counter_ns() - began)
        answered = bool(conversation.take())
        assert found or answered or conversation.closing, frame.hex()
        messages += len(found)
        refused += answered
        if conversation.closing is not None:
            conversation = _greeted()
    took.sort()
    gc.collect()
    # the times themselves, eight bytes each and more, are ours
    del took[: -count // 100]
    growth = (resident(Path("/proc/self/status")) - before) / before
    assert growth < 0.05, f"memory grew by {growth:.1%}"
    worst = {"worst_p99_us": took[0] // 1000, "worst_growth_percent": round(100 * growth, 2)}
    return {"frames": count, "messages": messages, "refused": refused, **worst}


def _greeted() -> ServerConversation:
    conversation = ServerConversation(UNHURRIED, 0.0)
    assert conversation.receive(HELLO, 0.0)
    return conversation


async def fuzz_server(folder: Path, make: Frames, count: int, seed: int) -> dict[str, float]:
    """Send so many frames to a real server, on a new link wherever the old one was closed. The match that is played
    there meanwhile must stay what its players made it, and the log must hold no fault."""
    data = folder / f"server-{seed}" / "data"
    data.mkdir(parents=True)
    log = folder / f"server-{seed}" / "server.log"
    server = CrashServer(data, log)
    await server.open()
    two = Pair(server, ())
    frames = list(islice(make(random.Random(seed)), count))
    links = 0
    before = 0
    try:
        await two.begin()
        for _ in range(6):
            await two.play_on()
        for start in range(0, count, 500):
            links += await _pour(server.port, frames[start : start + 500])
            await two.play_on()
            if start <= count // 10:
                before = resident(Path(f"/proc/{server.pid}/status"))
        growth = (resident(Path(f"/proc/{server.pid}/status")) - before) / before
        await server.kill()
        steps = (await check_match(two))["steps"]
    finally:
        await two.close()
        await server.close()
    faults = [line for line in log.read_text().splitlines() if '"level": "error"' in line or "Traceback" in line]
    assert not faults, faults[:3]
    assert growth < 0.05, f"memory grew by {growth:.1%}"
    return {"frames": count, "links": links, "steps": steps, "worst_growth_percent": round(100 * growth, 2)}


async def _pour(port: int, frames: list[bytes]) -> int:
    """Send all of these; how many links it took."""
    links = 0
    rest = frames
    while rest:
        links += 1
        rest = await _pour_until_closed(port, rest)
    return links


async def _pour_until_closed(port: int, frames: list[bytes]) -> list[bytes]:
    """Send frames until the server closes the link; those that are left."""
    url = f"ws://127.0.0.1:{port}/"
    async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], max_size=2**24, compression=None) as socket:
        await socket.send(HELLO)
        sent = 0
        with suppress(ConnectionClosed):
            for frame in frames:
                sent += 1
                await socket.send(frame)
                await socket.send(LAST)
                async with asyncio.timeout(PATIENCE):
                    while b"pong" not in bytes(await socket.recv(decode=False)):
                        pass
    return frames[sent:]


def resident(status: Path) -> int:
    """kB of memory of a process."""
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])
