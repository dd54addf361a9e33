"""A lobby whose server is killed with SIGKILL while people use it keeps all that it has acknowledged."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tests.support.doubles.redis_server import RedisServer
from tests.support.faults.kills.crashing import CrashServer
from tests.support.lobby_kills.script import Script
from tests.support.runs.longrun import Figures, LongRun

SCRIPTS: Final = 10
"""Of a batch."""
BATCHES: Final = 20
IN_REDIS: Final = 5
"""Of so many batches one is in Redis, the others in files."""


async def run_scripts(folder: Path, seeds: Iterable[int], kills: int, redis: RedisServer | None = None) -> Figures:
    """Run one script after another, each on a store of its own; return sums of what happened."""
    sums: Counter[str] = Counter()
    for seed in seeds:
        data = folder / str(seed)
        data.mkdir(parents=True)
        server = CrashServer(data, folder / "server.log", redis.place() if redis is not None else "")
        await server.open()
        try:
            sums += await Script(server, seed).run(kills)
        finally:
            await server.close()
        sums["scripts"] += 1
    return sums


@pytest.mark.waits
async def test_a_lobby_is_killed_twice_in_a_file(tmp_path: Path) -> None:
    happened = await run_scripts(tmp_path, [1], kills=2)
    assert happened["acknowledged"] > 10


def batch(folder: Path, number: int) -> Figures:
    redis = RedisServer(folder / f"redis-{number}") if number % IN_REDIS == 0 else None
    seeds = range(SCRIPTS * number, SCRIPTS * (number + 1))
    try:
        found = asyncio.run(run_scripts(folder / str(number), seeds, 3, redis))
    finally:
        if redis is not None:
            redis.close()
    return {**found, "scripts in redis": found["scripts"] if redis is not None else 0}


@pytest.mark.long("lobby")
def test_long_lobbies_are_killed(tmp_path: Path) -> None:
    totals = LongRun("lobby-kills", BATCHES).complete(partial(batch, tmp_path))
    assert totals["scripts"] >= 200, totals
    assert totals["rated"] >= 100, totals
    assert all(totals[deed] >= 100 for deed in ("whisper", "find_a_match", "set_webhook")), totals
