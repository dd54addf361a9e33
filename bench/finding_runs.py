"""Benchmark of people who look for a game: 2,000 from 100 addresses, at 5,000 tables of which 20 change a second."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import uvloop

from bench import scenes
from bench.figures import Figure, figure
from bench.lobby_runs import fill
from bench.players import Player, guests
from bench.processes import Process, cores, started

TABLES: Final = 5_000
LOOKERS: Final = 2_000
ADDRESSES: Final = 100
OWNERS: Final = 20
"""Each changes its table once a second."""
SECONDS: Final = 20
QUERIES: Final[tuple[Mapping[str, Any], ...]] = (
    {"state": "open"},
    {"free": 1},
    {"mail": False},
    {"rated": True, "language": "en"},
    {"words": "moved", "system": scenes.SYSTEM},
)
"""Filters of a fifth of all, who each have another page that all changes are on; the others have none."""
_NAME: Final = re.compile(rb"moved (\d+)")


def finding_figures() -> list[Figure]:
    """Measure from a change until all have it, the CPU of the server, and its memory for each who looks."""
    with tempfile.TemporaryDirectory(prefix="eschaton-bench-") as name:
        folder = Path(name)
        fill(folder, TABLES - OWNERS)
        with started("bench.server", cores()[0], name, log=folder / "log") as process:
            return uvloop.run(_looked_at(process))


class _Watch:
    """Clock of one who looks: seconds until they had each change, of those that were asked for at these times. A name
    that is told tells the earlier ones of the same table, too."""

    def __init__(self, asked: list[float]) -> None:
        self.late: list[float] = []
        self._asked = asked
        self._due = list(range(OWNERS))
        """The next change of each owner."""

    def heard(self, data: bytes) -> None:
        """Take a frame: the names of changed tables are all that counts in it."""
        now = perf_counter()
        for found in _NAME.findall(data):
            told = int(found)
            owner = told % OWNERS
            self.late += [now - self._asked[number] for number in range(self._due[owner], told + 1, OWNERS)]
            self._due[owner] = max(self._due[owner], told + OWNERS)


async def _looked_at(process: Process) -> list[Figure]:
    owners = await guests(process.port, OWNERS)
    for number, owner in enumerate(owners):
        owner.say("create", system=scenes.SYSTEM, scenario=scenes.SCENARIO, name=f"Owned {number}")
        await owner.until(lambda player: "table" in player.said)
    before = process.memory
    lookers = await guests(process.port, LOOKERS, LOOKERS, together=LOOKERS // ADDRESSES)
    idle = process.memory
    for number, looker in enumerate(lookers):
        looker.say("find", **(QUERIES[number % 25 // 5] if number % 5 == 0 else {}))
    await asyncio.gather(*[looker.until(lambda player: "found" in player.said) for looker in lookers])
    asked: list[float] = []
    watches = [_Watch(asked) for _ in lookers]
    for looker, watch in zip(lookers, watches, strict=True):
        looker.listener = watch.heard
    used, began = process.cpu, perf_counter()
    await _change(owners, asked)
    share = (process.cpu - used) / (perf_counter() - began)
    await asyncio.sleep(2)
    late = sorted(chain.from_iterable(watch.late for watch in watches))
    if len(late) != len(asked) * LOOKERS:
        raise SystemExit(f"of {len(asked) * LOOKERS} changes to be told {len(late)} were")
    held = process.memory
    for player in (*lookers, *owners):
        player.close()
    return [
        figure("finding_p50", late[len(late) // 2] * 1e3),
        figure("finding_p99", late[len(late) * 99 // 100] * 1e3),
        figure("finding_cpu", share * 100),
        figure("finding_idle", (idle - before) / LOOKERS / 1024),
        figure("finding_memory", (held - idle) / LOOKERS / 1024),
    ]


async def _change(owners: list[Player], asked: list[float]) -> None:
    """Let each owner change its table once a second, one after another."""
    began = perf_counter()
    for number in range(SECONDS * OWNERS):
        await asyncio.sleep(began + number / OWNERS - perf_counter())
        asked.append(perf_counter())
        owners[number % OWNERS].say("change", name=f"moved {number}")
