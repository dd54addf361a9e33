"""Benchmarks of a whole server, and of the limit beside it: CPU, latency, memory, crowds, spectators."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvloop

from bench import scenes
from bench.figures import AIMS, Figure, figure
from bench.load import Span, full_speed, paced
from bench.players import Player, Room, Table, all_seated, connected, guests
from bench.processes import Process, cores, fdatasync, started
from protocol.scene.nodes import Reply

WARM: Final = 1.0
SECONDS: Final = 6.0
CROWD_CONNECTIONS, CROWD_TABLES, CROWD_RATE = 5_000, 800, 400.0
CROWD_SECONDS: Final = 20.0
WATCHERS: Final = 500
ROUNDS: Final = 3

Play = Callable[[float], Coroutine[Any, Any, Span]]
"""Play at full speed for so many seconds."""


class Bench:
    """A server on its core, the folder of its data, and the shots that its scenario allows."""

    def __init__(self, folder: Path, process: Process, shots: list[Reply]) -> None:
        self.folder = folder
        self.process = process
        self.shots = shots

    def cpu(self) -> float:
        """Return the seconds of CPU that the server has used."""
        return self.process.cpu


def with_server(work: Callable[[Bench], Coroutine[Any, Any, list[Figure]]]) -> list[Figure]:
    """Run `work` against a fresh server."""
    shots = scenes.shots(scenes.match().match.state)
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        folder = Path(name)
        with started("bench.server", cores()[0], name, log=folder / "log") as process:
            return uvloop.run(work(Bench(folder, process, shots)))


@asynccontextmanager
async def _limited(tables: int, size: int, viewers: int = scenes.SEATS) -> AsyncIterator[Play]:
    """Run the raw limit, and yield a function that plays at these rooms with frames of this size."""
    with (
        tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name,
        started("bench.limit", cores()[0], str(size), log=Path(name) / "log") as process,
    ):
        players = await connected(process.port, tables * viewers, lambda n: f"/{n // viewers}")
        rooms = [Room(n, players[n * viewers : (n + 1) * viewers], ()) for n in range(tables)]
        for player in players:
            player.is_playing = True
        play = partial(full_speed, rooms, cpu=lambda: process.cpu)
        await play(WARM / 2)
        yield play
        for player in players:
            player.close()


async def at_tables(bench: Bench, count: int, seconds: float = SECONDS) -> list[Figure]:
    """Measure full speed at this number of tables, then the limit at the same number."""
    before = bench.process.memory
    players = await guests(bench.process.port, scenes.SEATS * count)
    idle = bench.process.memory
    tables = await all_seated(players, bench.shots)
    await full_speed(tables, WARM, bench.cpu)
    span = await full_speed(tables, seconds, bench.cpu)
    disk = fdatasync(bench.folder)
    half = await paced(tables, span.rate / 2, seconds, bench.cpu)
    live = bench.process.memory
    for player in players:
        player.close()
    size = round(statistics.median(span.sizes))
    async with _limited(count, size) as raw:
        limit = await raw(seconds / 2)
    found = {
        "cpu": (span.cost, limit.cost, 0.0),
        "share": (limit.cost / span.cost, 1.0, 0.0),
        "rate": (span.rate, limit.rate, 0.0),
        "p50": (half.quantile(0.5), None, 2e3 * disk),
        "p99": (half.quantile(0.99), None, 2e3 * disk),
        "fdatasync": (disk * 1e3, None, 0.0),
        "delta": (size, None, 0.0),
        "idle": ((idle - before) / len(players) / 1024, None, 0.0),
        "match": ((live - idle) / count / 2**20, None, 0.0),
    }
    # figures that do not depend on the number of tables are given once, for the most tables
    return [figure(f"{name}_{count}", *values) for name, values in found.items() if f"{name}_{count}" in AIMS]


async def crowd(bench: Bench) -> list[Figure]:
    """Measure 5,000 connections, 800 live matches, 400 intents a second in all."""
    players = await guests(bench.process.port, CROWD_CONNECTIONS)
    tables = await all_seated(players[: scenes.SEATS * CROWD_TABLES], bench.shots)
    for player in players:
        player.is_playing = True
    await paced(tables, CROWD_RATE, WARM * 3, bench.cpu)
    bench.process.ask("lag")  # it samples from here on
    span = await paced(tables, CROWD_RATE, CROWD_SECONDS, bench.cpu)
    lag = bench.process.ask("lag")["p99"]
    return [figure("crowd_p99", span.quantile(0.99)), figure("crowd_lag", lag * 1e3)]


async def watched(bench: Bench) -> list[Figure]:
    """Measure the growth of an intent's cost with 500 spectators, without the sending of their frames.

    A table without spectators and one with 500 are measured in turn, and between them the limit, by which the cost of a
    frame is known: other work of the machine concerns all four alike. 0: the table with spectators costs less than
    their frames alone in the limit, since spectators get several frames in one piece.
    """
    players = await guests(bench.process.port, 2 * scenes.SEATS + WATCHERS)
    watchers = players[2 * scenes.SEATS :]
    alone, seen = await all_seated(players[: 2 * scenes.SEATS], bench.shots, private=False)
    await _watch(seen, watchers)
    await full_speed([alone], WARM, bench.cpu)
    size = round(statistics.median((await full_speed([seen], WARM, bench.cpu)).sizes))
    async with _limited(1, size) as few, _limited(1, size, scenes.SEATS + WATCHERS) as many:
        return [
            figure(
                "growth_watchers",
                statistics.median([await _growth(bench, alone, seen, few, many) for _ in range(ROUNDS)]),
            )
        ]


async def _growth(bench: Bench, alone: Table, seen: Table, few: Play, many: Play) -> float:
    seconds = SECONDS / ROUNDS
    least = (await full_speed([alone], seconds, bench.cpu)).cost
    seen.shown = 0
    span = await full_speed([seen], seconds, bench.cpu)
    frame = ((await many(seconds)).cost - (await few(seconds)).cost) / WATCHERS
    return max(0.0, span.cost - frame * seen.shown / span.intents) / least


async def _watch(table: Table, watchers: list[Player]) -> None:
    for watcher in watchers:
        watcher.say("watch", code=table.code)
    for watcher in watchers:
        await watcher.until(lambda player: "snapshot" in player.said)
        watcher.table, watcher.is_playing, watcher.is_watching = table, True, True
