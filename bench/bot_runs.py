"""Benchmark of a person's ping on a server with many playing bots, and on an idle one."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

import uvloop

from bench.figures import AIMS, Figure, figure
from bench.players import Player, guests
from bench.processes import PATIENCE, Process, cores, started
from bench.scenes import SYSTEM

SCENARIO: Final = "harrow_cross:3"
SEATS: Final = 3
KIND: Final = "level2"
TABLES: Final = 200
SECONDS: Final = 30.0
STEPS: Final = 3
"""Of each table before it is measured."""
BETWEEN: Final = 0.02
"""Seconds between two pings."""
AT_ONCE: Final = 10
IDLE_TIMES: Final = 4
"""The p99 beside bots may be so many times that of an idle server, where that is more than the must."""


class Size(NamedTuple):
    """Tables of three bots, and seconds of pings beside them."""

    tables: int = TABLES
    seconds: float = SECONDS


def bystander_figures(size: Size = Size()) -> list[Figure]:  # noqa: B008 - immutable
    """Measure pings beside bots on both cores, which the server, the load and the bots' processes share."""
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        both = ",".join(map(str, cores()))
        with started("bench.server", both, name, "bots", log=Path(name) / "log") as process:
            return uvloop.run(_stood_by(process, size))


async def _stood_by(process: Process, size: Size) -> list[Figure]:
    [bystander, *owners] = await guests(process.port, 1 + size.tables)
    idle = await _p99(bystander, size.seconds / 2)
    await leave_to_bots(owners)
    before, began = process.ask("steps")["steps"], perf_counter()
    await under_way(process, before + STEPS * size.tables)
    beside = await _p99(bystander, size.seconds)
    rate = (process.ask("steps")["steps"] - before) / (perf_counter() - began)
    bystander.close()
    more = max(0.0, IDLE_TIMES * idle - AIMS["ping_bots"].must)
    return [figure("ping_idle", idle), figure("ping_bots", beside, extra=more), figure("steps_bots", rate)]


async def leave_to_bots(owners: Sequence[Player]) -> None:
    """Have each owner start a match among bots and leave it, a few of them at once."""
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*[_left_to_bots(owner, number, gate) for number, owner in enumerate(owners)])


async def _left_to_bots(owner: Player, number: int, gate: asyncio.Semaphore) -> None:
    """Start a match among bots, and leave: another bot takes the seat."""
    async with gate:
        owner.say("create", system=SYSTEM, scenario=SCENARIO, name=f"Table {number}")
        await owner.until(lambda player: "table" in player.said)
        owner.say("change", reaction_seconds=0)
        for _ in range(SEATS - 1):
            owner.say("bot", kind=KIND)
        owner.say("start")
        await owner.until(lambda player: player.said["table"]["state"] == "live")
        owner.say("leave")
        await owner.until(lambda player: "left" in player.said)
        owner.close()


async def under_way(process: Process, steps: int, patience: float = PATIENCE) -> None:
    """Wait until the server has made this number of steps. Raises SystemExit."""
    until = perf_counter() + patience
    while process.ask("steps")["steps"] < steps:
        if perf_counter() > until:
            raise SystemExit("The bots do not play.")
        await asyncio.sleep(0.1)


async def _p99(bystander: Player, seconds: float) -> float:
    """Return the milliseconds within which 99 of 100 pings are answered."""
    found: list[float] = []
    until, number = perf_counter() + seconds, 0
    while perf_counter() < until:
        number += 1
        sent = perf_counter()
        bystander.said.pop("pong", None)
        bystander.say("ping", n=number)
        await bystander.until(lambda player: "pong" in player.said)
        found.append(perf_counter() - sent)
        await asyncio.sleep(BETWEEN)
    return sorted(found)[int(len(found) * 0.99)] * 1e3
