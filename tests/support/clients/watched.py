"""A table of six with very many spectators: server, players and spectators in processes of their own, timed."""

from __future__ import annotations

import asyncio
import json
import secrets
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from protocol.ids import TableId
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack
from tests.support.clients.programs import Program, until
from tests.support.clients.wire import Client

SEATS = 6
COMING_SECONDS = 120.0
PAUSE = 0.03
"""Seconds between two acts, so that what one costs does not fall on the next."""


class Onlookers(Program):
    """Spectators in a process of their own; they leave when it ends."""

    def __init__(self, folder: Path, port: int, table: TableId, count: int, *, silent: bool = False) -> None:
        what = (str(port), table, str(count), *(["silent"] if silent else []))
        super().__init__(folder, "onlookers", "tests.support.faults.onlookers", *what, is_held=True)


class Watched:
    """The server and its six players."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.report = folder / "report"
        self.server = Program(folder, "server", "tests.support.clients.watched_server", str(folder), str(self.report))
        self.players: list[Client] = []
        self._turns = 0

    async def __aenter__(self) -> Watched:
        await self.server.start()
        port = (await self.server.said())["port"]
        assert isinstance(port, int)
        self.port = port
        self.players = [Client(port, f"Player {number}") for number in range(SEATS)]
        first, *others = self.players
        for player in self.players:
            await player.connect()
        code = await first.create("crowded")
        await first.say(say.ChangeTable(reaction_seconds=0, seconds=3600))
        for player in others:
            await player.join(code)
            await player.ready()
        await first.until(lambda: first.talk.table is not None and sum(s.ready for s in first.talk.table.seats) >= 5)
        await first.say(say.StartMatch())
        await first.my_turn()
        return self

    async def __aexit__(self, *_: object) -> None:
        for player in self.players:
            await player.close()
        await self.server.end()

    @property
    def table(self) -> TableId:
        """Id of the table."""
        assert self.players[0].talk.table is not None
        return self.players[0].talk.table.id

    @property
    def memory(self) -> int:
        """Bytes of the server's memory now."""
        assert self.server.pid is not None
        status = Path(f"/proc/{self.server.pid}/status").read_text()
        return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))

    async def act(self, times: int, pause: float = PAUSE) -> list[float]:
        """Play a number of turns, one player after another; return milliseconds from sending each act to its
        acknowledgement."""
        waits: list[float] = []
        for _ in range(times):
            player = self.players[self._turns % SEATS]
            self._turns += 1
            await player.my_turn()
            began = time.perf_counter()
            id = player.talk.intend(Reply("rest"), secrets.token_bytes(16))
            await player.flush()
            assert isinstance(await player.answer(id), Ack)
            waits.append(1000 * (time.perf_counter() - began))
            for each in self.players:
                each.heard.clear()
                each.frames.clear()
            await asyncio.sleep(pause)
        return waits

    def told(self, what: str, after: int = 0) -> list[float]:
        """Return all reports of the server of this kind, but for the first `after`, in milliseconds."""
        lines = [json.loads(line) for line in self.report.read_text().splitlines()]
        return [1000 * line[what] for line in lines if what in line][after:]

    async def step_times(self, times: int, pause: float) -> list[float]:
        """Return milliseconds from durable to the last player's write, of a number of turns."""
        before = len(self.told("step"))
        await self.act(times, pause)
        return self.told("step", before)

    async def with_onlookers(self, count: int, *, silent: bool = False) -> Onlookers:
        """Connect spectators; all of them are there when this returns."""
        crowd = Onlookers(self.folder, self.port, self.table, count, silent=silent)
        await crowd.start()
        assert (await crowd.said(COMING_SECONDS))["count"] == count
        return crowd

    async def until_watched_by(self, count: int) -> None:
        """Wait until the table has a number of spectators."""
        first = self.players[0]
        await until(lambda: first.talk.table is not None and first.talk.table.watching == count)


async def measure_crowd(folder: Path, count: int, turns: int, pause: float, runs: int = 5) -> dict[str, float]:
    """Measure times from durable to the last player's write without and with spectators, runs of both in turn: medians
    of the runs' medians, in milliseconds. `pause`: seconds between two acts, longer than the readers in this machine
    take."""
    alone: list[float] = []
    watched: list[float] = []
    async with Watched(folder) as table:
        await table.act(SEATS)
        for _ in range(runs):
            alone.append(statistics.median(await table.step_times(turns, pause)))
            crowd = await table.with_onlookers(count)
            await table.until_watched_by(count)
            await table.act(SEATS)
            watched.append(statistics.median(await table.step_times(turns, pause)))
            await table.until_watched_by(count)
            await crowd.end()
            await table.until_watched_by(0)
    return {"alone_ms": statistics.median(alone), "watched_ms": statistics.median(watched), "spectators": count}


async def measure_silence(
    folder: Path, count: int, runs: int = 5, turns: int = 100, pause: float = 0.02
) -> dict[str, float]:
    """Measure readers that read nothing: the cost of each to the server, the time until it is closed, and the effect on
    others. With a longer `pause` between two acts they would be closed because they answer no ping, before their queues
    are full."""
    alone: list[float] = []
    beside: list[float] = []
    most, gone = 0.0, 0
    async with Watched(folder) as table:
        await table.act(SEATS)
        for _ in range(runs):
            alone.append(percentile(await table.act(turns, pause)))
            before = table.memory
            crowd = await table.with_onlookers(count, silent=True)
            waits: list[float] = []
            gone += count
            while len(table.told("gone")) < gone:
                waits += await table.act(10, pause)
                most = max(most, (table.memory - before) / count)
                assert len(waits) < 3_000, "they are not closed"
            beside.append(percentile(waits))
            await crowd.end()
            await table.until_watched_by(0)
        full = [time for time in table.told("gone") if time]
    return {
        "readers": gone,
        "full": len(full),
        "worst_bytes": most,
        "worst_seconds": max(full) / 1000,
        "alone_p99_ms": statistics.median(alone),
        "beside_p99_ms": statistics.median(beside),
    }


def percentile(values: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return sorted(values)[int(len(values) * 0.99)]


def is_within(alone: float, watched: float) -> bool:
    """Tell if a time is within the larger of 10 % and half a millisecond."""
    return watched - alone <= max(0.1 * alone, 0.5)
