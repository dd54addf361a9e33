"""Benchmark of the end of a server with live matches, and of its next start."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Final

import uvloop

from bench.bot_runs import leave_to_bots, under_way
from bench.figures import Figure, figure
from bench.players import guests
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
    await leave_to_bots(owners)
    await under_way(process, process.ask("steps")["steps"] + steps * tables, WARMING_SECONDS)
    cpu, began = process.cpu, perf_counter()
    process.signal(signal.SIGTERM)
    await bystander.until(lambda player: "problem" in player.said)
    told = perf_counter() - began
    used = await asyncio.to_thread(process.ended) - cpu
    return [figure("end_told", told), figure("end_seconds", perf_counter() - began), figure("end_cpu", used)]
