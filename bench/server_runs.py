"""What is measured of a whole server, and of the limit beside it: CPU, latency, memory, crowds, spectators."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import uvloop

from bench import scenes
from bench.figures import AIMS, Figure, figure
from bench.load import Span, full_speed, paced
from bench.players import Player, Room, Table, all_seated, connected, guests
from bench.processes import Process, cores, fdatasync, started
from protocol.scene import Reply

WARM: Final = 1.0
SECONDS: Final = 6.0
CROWD_CONNECTIONS, CROWD_TABLES, CROWD_RATE = 5_000, 800, 400.0
CROWD_SECONDS: Final = 20.0
WATCHERS: Final = 500


class Bench:
    """A server on its core, the folder of its data, and the shots that its scenario allows."""

    def __init__(self, folder: Path, process: Process, shots: list[Reply]) -> None:
        self.folder = folder
        self.process = process
        self.shots = shots

    def cpu(self) -> float:
        """Seconds of CPU that the server has used."""
        return self.process.cpu


def with_server(work: Callable[[Bench], Coroutine[Any, Any, list[Figure]]]) -> list[Figure]:
    """Run `work` against a fresh server."""
    shots = scenes.shots(scenes.match().match.state)
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        folder = Path(name)
        with started("bench.server", cores()[0], name, log=folder / "log") as process:
            return uvloop.run(work(Bench(folder, process, shots)))


async def _limit(tables: int, size: int, viewers: int = scenes.SEATS, seconds: float = SECONDS) -> Span:
    """The raw limit with frames of this size."""
    with (
        tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name,
        started("bench.limit", cores()[0], str(size), log=Path(name) / "log") as process,
    ):
        players = await connected(process.port, tables * viewers, lambda n: f"/{n // viewers}")
        rooms = [Room(n, players[n * viewers : (n + 1) * viewers], ()) for n in range(tables)]
        for player in players:
            player.is_playing = True
        await full_speed(rooms, WARM / 2, lambda: process.cpu)
        span = await full_speed(rooms, seconds, lambda: process.cpu)
        for player in players:
            player.close()
        return span


async def at_tables(bench: Bench, count: int, seconds: float = SECONDS) -> list[Figure]:
    """Full speed at so many tables, then the limit at the same number."""
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
    limit = await _limit(count, size, seconds=seconds / 2)
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
    # what does not depend on the number of tables is told once, of the most
    return [figure(f"{name}_{count}", *values) for name, values in found.items() if f"{name}_{count}" in AIMS]


async def crowd(bench: Bench) -> list[Figure]:
    """5,000 connections, 800 live matches, 400 intents a second in all."""
    players = await guests(bench.process.port, CROWD_CONNECTIONS)
    tables = await all_seated(players[: scenes.SEATS * CROWD_TABLES], bench.shots)
    for player in players:
        player.is_playing = True
    await paced(tables, CROWD_RATE, WARM * 3, bench.cpu)
    bench.process.ask("lag")  # from here on it looks
    span = await paced(tables, CROWD_RATE, CROWD_SECONDS, bench.cpu)
    lag = bench.process.ask("lag")["p99"]
    return [figure("crowd_p99", span.quantile(0.99)), figure("crowd_lag", lag * 1e3)]


async def watched(bench: Bench) -> list[Figure]:
    """One table without spectators, then with 500; a frame sent to one of them costs what it costs in the limit."""
    players = await guests(bench.process.port, scenes.SEATS + WATCHERS)
    (table,) = await all_seated(players[: scenes.SEATS], bench.shots, private=False)
    await full_speed([table], WARM, bench.cpu)
    alone = await full_speed([table], SECONDS / 3, bench.cpu)
    watchers = players[scenes.SEATS :]
    await _watch(table, watchers)
    await full_speed([table], WARM, bench.cpu)
    table.shown = 0
    span = await full_speed([table], SECONDS / 2, bench.cpu)
    frames = table.shown / span.intents
    size = round(statistics.median(span.sizes))
    few = await _limit(1, size, seconds=SECONDS / 3)
    many = await _limit(1, size, scenes.SEATS + WATCHERS, seconds=SECONDS / 2)
    work = span.cost - (many.cost - few.cost) * frames / WATCHERS
    return [figure("growth_watchers", work / alone.cost)]


async def _watch(table: Table, watchers: list[Player]) -> None:
    for watcher in watchers:
        watcher.say("watch", code=table.code)
    for watcher in watchers:
        await watcher.until(lambda player: "snapshot" in player.said)
        watcher.table, watcher.is_playing, watcher.is_watching = table, True, True
