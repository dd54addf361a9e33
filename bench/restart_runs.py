"""Benchmark of the end of a server with live matches, and of its next start."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

import uvloop

from bench.bot_runs import AT_ONCE, left_to_bots, under_way
from bench.figures import Figure, figure
from bench.players import Player, guests
from bench.processes import Process, cores, started

TABLES: Final = 100
WARMING_SECONDS: Final = 180.0
STEPS: Final = 20
"""Of each table before the server ends."""


def restart_figures(tables: int = TABLES, steps: int = STEPS) -> list[Figure]:
    """Measure a server with bots at all tables, and one person: its end, and its start on the same folder."""
    both = ",".join(map(str, cores()))
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        log = Path(name) / "log"
        with started("bench.server", both, name, "bots", log=log) as process:
            found = uvloop.run(_ended(process, tables, steps))
        began = perf_counter()
        with started("bench.server", both, name, "bots", log=log) as process:
            return [*found, figure("start_listens", perf_counter() - began), figure("start_cpu", process.cpu)]


async def _ended(process: Process, tables: int, steps: int) -> list[Figure]:
    [bystander, *owners] = await guests(process.port, 1 + tables)
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*[left_to_bots(owner, number, gate) for number, owner in enumerate(owners)])
    await under_way(process, process.ask("steps")["steps"] + steps * tables, WARMING_SECONDS)
    cpu, began = process.cpu, perf_counter()
    process.signal(signal.SIGTERM)
    told = await _told(bystander) - began
    used = await asyncio.to_thread(process.ended) - cpu
    return [figure("end_told", told), figure("end_seconds", perf_counter() - began), figure("end_cpu", used)]


async def _told(player: Player) -> float:
    """Return the time at which this player has heard that the server restarts."""
    await player.heard("problem")
    return perf_counter()
