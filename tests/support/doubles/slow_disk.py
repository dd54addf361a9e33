"""Matches played on a disk whose every sync takes half a second, beside the same on a quick one."""

from __future__ import annotations

import asyncio
import secrets
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from websockets.exceptions import ConnectionClosed

from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatLine, Detail, Pong
from tests.support.clients.programs import until
from tests.support.clients.wire import Client
from tests.support.doubles.disk import SYNCING
from tests.support.faults.kills.crashing import CrashServer, Pair
from tests.support.runs.patience import PATIENCE

DELAY: Final = 500_000
PROBE_SECONDS: Final = 0.02


class Figures(NamedTuple):
    """Results of a run: seconds, and the server's memory in KiB. `ack` is the worst match's 99th percentile."""

    ack: float
    chat: float
    detail: float
    ping: float
    memory: int
    acts: int


def under_strace(*, slow: bool) -> tuple[str, ...]:
    """Trace both runs alike; only calls that sync stop for it."""
    how = ("-e", f"inject={SYNCING}:delay_exit={DELAY}") if slow else ()
    return ("strace", "-f", "-qqq", "--seccomp-bpf", "-o", "/dev/null", "-e", f"trace={SYNCING}", *how)


def percentile(values: list[float], share: float = 0.99) -> float:
    """Return the value that this share of all does not exceed."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


class Timed(Pair):
    """A pair whose acts are timed. `pace`: seconds from one act to the next at least."""

    def __init__(self, server: CrashServer, pace: float) -> None:
        super().__init__(server)
        self.seconds: list[float] = []
        self._pace = pace

    async def play(self) -> None:
        """Play for ever."""
        await asyncio.sleep(self._pace * secrets.randbelow(1000) / 1000)
        while True:
            seat, is_answer = self._turn // 2 % 2, self._turn % 2 == 1
            await self._ready(self.players[1 - seat if is_answer else seat], "yes" if is_answer else "strike")
            begun = time.monotonic()
            await self.play_on()
            self.seconds.append(time.monotonic() - begun)
            await asyncio.sleep(self._pace - self.seconds[-1])


class Prober:
    """Client whose match is always being written, and who chats, pings and asks for fields meanwhile; `overtaken`
    counts, by kind, answers that came before that of an act sent earlier."""

    def __init__(self, port: int, pace: float) -> None:
        self._pace = pace
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.acts: list[float] = []
        self.overtaken: Counter[str] = Counter()
        self._client = Client(port, "Eva")
        self._number = 0

    async def begin(self) -> None:
        """Begin a table with a bot."""
        eva = self._client
        await eva.connect()
        await eva.create("endless")
        await eva.say(say.AddBot(kind="random"))
        await eva.until(lambda: eva.talk.table is not None and eva.talk.table.seats[1].bot == "random")
        await eva.say(say.StartMatch())
        await eva.my_turn("focus")

    async def probe(self) -> None:
        """Probe for ever. Answers come in any order, so each kind is awaited by itself."""
        eva = self._client
        writing: bytes | None = None
        begun = 0.0
        while True:
            if writing is not None and writing not in eva.talk.pending:
                self.acts.append(time.monotonic() - begun)
                writing = None
            if writing is None and time.monotonic() - begun >= self._pace:
                choice = "undo" if eva.offers("undo") else "focus"
                writing, begun = eva.talk.intend(Reply(choice), secrets.token_bytes(16)), time.monotonic()
            self._number += 1
            for kind in ("ping", "chat", "detail"):
                self.seconds[kind].append(await self._ask(kind))
                self.overtaken[kind] += writing in eva.talk.pending
            eva.heard.clear()
            await asyncio.sleep(PROBE_SECONDS)

    async def _ask(self, kind: str) -> float:
        eva, number = self._client, self._number
        begun = time.monotonic()
        if kind == "ping":
            await eva.say(say.Ping(n=number))
            await eva.hear(Pong, lambda pong: pong.n == number)
        elif kind == "chat":
            await eva.say(say.Chat(text=f"number {number}"))
            await eva.hear(ChatLine, lambda line: line.text == f"number {number}")
        else:
            asked = eva.talk.ask_detail("strike", {})
            await eva.flush()
            await eva.hear(Detail, lambda detail: detail.id == asked)
        return time.monotonic() - begun

    async def close(self) -> None:
        """Drop the link."""
        await self._client.close()


def memory_of(pid: int) -> int:
    """Return the memory of a process, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


class Room(NamedTuple):
    """A server with people at its tables."""

    server: CrashServer
    pairs: list[Timed]
    prober: Prober

    @property
    def acts(self) -> list[float]:
        """Return the seconds of each act so far."""
        return [*self.prober.acts, *(seconds for pair in self.pairs for seconds in pair.seconds)]

    async def play(self, seconds: float) -> Figures:
        """Let all of them play for this time."""
        return await self._play_during(asyncio.sleep(seconds))

    async def play_until(self, condition: Callable[[], bool]) -> Figures:
        """Let all of them play until a condition holds."""
        return await self._play_during(until(condition, PATIENCE))

    async def _play_during(self, lasting: Coroutine[Any, Any, None]) -> Figures:
        work = (lasting, self.prober.probe(), *(pair.play() for pair in self.pairs))
        tasks = [asyncio.create_task(one) for one in work]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        acts = [self.prober.acts, *(pair.seconds for pair in self.pairs)]
        worst = max(percentile(times) for times in acts)
        asked = {kind: percentile(values) for kind, values in self.prober.seconds.items()}
        memory = memory_of(self.server.pid)
        return Figures(worst, asked["chat"], asked["detail"], asked["ping"], memory, sum(map(len, acts)))


@asynccontextmanager
async def room(folder: Path, tables: int, before: tuple[str, ...] = (), pace: float = 0.0) -> AsyncIterator[Room]:
    """Run a server of its own with a number of tables for two, and one for the prober; `before` stands before its
    command. Without a `pace` they act as fast as the disk lets them."""
    data = folder / "data"
    data.mkdir(parents=True)
    server = CrashServer(data, folder / "server.log", before=before, is_measured=True)
    await server.open()
    pairs = [Timed(server, pace) for _ in range(tables)]
    prober: Prober | None = None
    try:
        assert await server.serve()
        prober = Prober(server.port, pace)
        await asyncio.gather(prober.begin(), *(pair.seat() for pair in pairs))
        yield Room(server, pairs, prober)
    finally:
        with suppress(ConnectionClosed):
            for pair in pairs:
                await pair.close()
            if prober is not None:
                await prober.close()
        await server.close()


def medians(runs: list[Figures]) -> Figures:
    """Return the median of each figure over all runs."""
    return Figures(*(statistics.median(values) for values in zip(*runs, strict=True)))


def too_slow(quick: Figures, slow: Figures) -> Iterator[str]:
    """Return the figures that are worse on the slow disk than allowed."""
    if slow.ack > 1.5:
        yield f"acknowledgements: {slow.ack:.3f} s"
    for kind in ("chat", "detail", "ping"):
        before, after = getattr(quick, kind), getattr(slow, kind)
        if after - before > max(before * 0.2, 0.0005):
            yield f"{kind}: {before * 1000:.2f} ms, and {after * 1000:.2f} ms on the slow disk"
    if slow.memory > quick.memory * 1.1:
        yield f"memory: {quick.memory} KiB, and {slow.memory} KiB on the slow disk"
