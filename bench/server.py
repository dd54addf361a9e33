"""The server under load: `python -m bench.server DATA [bots|shipped|people|bounded]`. Prints its port, then answers the
lines "lag", "turns", "steps", "limits".

With any of these words but the last it has the shipped game; with `bots` they play alone, 0.3 s an act, with `shipped`
and `bounded` what people may ask for in a time is as shipped, with `people` it has all games and one address may send
all.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from time import thread_time
from typing import Any, Final

from bench.scenes import SYSTEM, installed
from protocol.limits import Bucket, HoldLimits, Limits, Rates
from server.cli.serving import run_last, serve
from server.content.systems import find_systems, load
from server.runtime.tasks import stop
from server.store.sqlite.store import SqliteStore

FREE: Final = Bucket(1e6, 1_000_000)
UNBOUND: Final[Mapping[str, Any]] = {kind: Rates() for kind in Limits().rates()}
LIMITS: Final = Limits(**UNBOUND, intents=FREE, frames=FREE, arrivals=FREE, handshakes_per_second=1_000)
"""The load is one person after another at full speed; all other limits are as shipped."""
CROWDED: Final = replace(
    LIMITS,
    sockets_per_address=10_000,
    tables_per_address=10_000,
    matches_per_address=10_000,
    seats_held=HoldLimits(40, 10_000, 60_000),
)
SHIPPED: Final = Limits(frames=FREE, handshakes_per_second=1_000)
"""For what people may ask of the rules: a bystander alone says more than they may."""
SAMPLE: Final = 0.005
BOT_PAUSE: Final = 0.3


def raised() -> dict[str, object]:
    """Return the limits that the bench raises."""
    shipped = asdict(Limits())
    return {name: value for name, value in asdict(LIMITS).items() if value != shipped[name] and name not in UNBOUND} | {
        "rates": "none"
    }


class LongestTurn:
    """Recorder of the longest turn of the loop in CPU seconds of its thread."""

    def __init__(self) -> None:
        self._longest = 0.0
        self._at = 0.0
        self._is_on = False

    def report(self) -> dict[str, float]:
        """Return the longest turn in seconds and stop; the first time, start to look at each turn, so that the loop
        never rests."""
        longest, self._longest, self._is_on = self._longest, 0.0, not self._is_on
        if self._is_on:
            self._at = thread_time()
            self._look()
        return {"longest": longest}

    def _look(self) -> None:
        now = thread_time()
        self._longest, self._at = max(self._longest, now - self._at), now
        if self._is_on:
            asyncio.get_running_loop().call_soon(self._look)


class StepCounter:
    """Counter of the steps made durable."""

    def __init__(self) -> None:
        self._count = 0

    def mark(self, point: str) -> None:
        """Count an act that has been appended."""
        self._count += point == "appended"

    def report(self) -> dict[str, int]:
        """Return the number so far."""
        return {"steps": self._count}


class LoopLag:
    """Recorder of the loop's delay of due calls."""

    def __init__(self) -> None:
        self._late: list[float] = []

    async def sample(self) -> None:
        """Record the delay every 5 ms, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + SAMPLE
            await asyncio.sleep(SAMPLE)
            self._late.append(loop.time() - due)

    def report(self) -> dict[str, float]:
        """Return the number of samples since the last call, and their p99 in seconds."""
        late, self._late = sorted(self._late), []
        return {"samples": len(late), "p99": late[int(len(late) * 0.99)] if late else 0.0}


async def hosted(data: Path, way: str = "") -> int:
    """Serve until told to end, and return the server's status. `way`: "" or one of the words above."""
    lag, turns, steps = LoopLag(), LongestTurn(), StepCounter()
    answers = {"lag": lag.report, "turns": turns.report, "steps": steps.report, "limits": raised}
    loop = asyncio.get_running_loop()
    sampling: list[asyncio.Task[None]] = []

    def hear() -> None:
        # a line arrives whole, and the next one only after the answer
        for command in os.read(sys.stdin.fileno(), 4096).decode().split():
            if command == "lag" and not sampling:
                sampling.append(asyncio.create_task(lag.sample()))
            print(json.dumps(answers[command]()), flush=True)

    loop.add_reader(sys.stdin.fileno(), hear)
    try:
        named = () if way == "people" else [SYSTEM]
        is_shipped = way not in ("", "bounded")
        systems = load(find_systems(named).values()) if is_shipped else {SYSTEM: installed()}
        store = SqliteStore(data / "eschaton.db")
        place, limits = ("127.0.0.1", 0), {"shipped": SHIPPED, "bounded": SHIPPED, "people": CROWDED}.get(way, LIMITS)
        if way != "bots":
            return await serve(systems, store, data, *place, limits=limits)
        return await serve(
            systems, store, data, *place, limits=limits, bot_pause=BOT_PAUSE, mark=steps.mark, bots_alone=True
        )
    finally:
        loop.remove_reader(sys.stdin.fileno())
        await stop(sampling)


if __name__ == "__main__":
    run_last(hosted(Path(sys.argv[1]), "".join(sys.argv[2:])))
