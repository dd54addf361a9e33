"""Redis slow, stalled or killed under very many appends: the queue stays bounded, nothing is lost, all goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from server.store.redis.connection import DEFAULT_TIMEOUTS, Timeouts
from server.store.redis.store import RedisStore
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.relay import Relay
from tests.support.faults.kills.torrent import Torrent, pour_and_kill, poured
from tests.support.runs.longrun import LongRun

FEW, MANY = 20, 100
HURRIED = Timeouts(answer=1.0, patience=0.2, pause=0.05)


async def slow_and_stalled(folder: Path, delay: float, stall: float, waits: Timeouts, matches: int) -> dict[str, float]:
    """Appends through a link that takes `delay` seconds each way, then while Redis stands still for `stall` seconds."""
    server = RedisServer(folder)
    loop = asyncio.get_running_loop()
    async with Relay(server.port) as relay:
        place = server.place()
        store = await RedisStore.open(f"redis://127.0.0.1:{relay.port}/{place.rpartition('/')[2]}", timeouts=waits)
        torrent = Torrent(store, matches)
        async with poured(torrent, server, place):
            await torrent.more(5 * matches)
            relay.delay = delay
            await torrent.more(3 * matches)
            relay.delay = 0.0
            server.stall()
            await asyncio.sleep(stall)
            server.go_on()
            begun = loop.time()
            await torrent.more(3 * matches)
            back = loop.time() - begun
    return {**torrent.figures, "worst_waiting": torrent.most_waiting, "worst_back": back}


async def test_a_slow_and_a_stalled_redis_in_short(tmp_path: Path) -> None:
    happened = await slow_and_stalled(tmp_path, delay=0.02, stall=1.5, waits=HURRIED, matches=FEW)
    assert happened["worst_waiting"] <= 2 * FEW


async def test_redis_killed_five_times_under_a_torrent(tmp_path: Path) -> None:
    happened = await pour_and_kill(tmp_path, seed=1, kills=5, matches=FEW)
    assert happened["acknowledged"] > 100
    assert "lost" not in happened


async def test_what_an_accepted_loss_costs_is_counted(tmp_path: Path) -> None:
    """No step is missing in silence: all that was acknowledged is there, or was counted as lost."""
    happened = await pour_and_kill(tmp_path, seed=2, kills=5, durability="second", matches=FEW)
    assert happened["acknowledged"] > 100


@pytest.mark.long("slow-redis")
async def test_a_slow_and_a_stalled_redis(tmp_path: Path) -> None:
    run = LongRun("slow-redis", batches=3)
    for batch in run.left():
        run.keep(
            batch,
            await slow_and_stalled(tmp_path / str(batch), delay=0.2, stall=10.0, waits=DEFAULT_TIMEOUTS, matches=MANY),
        )
    totals = run.totals()
    assert totals["worst_waiting"] <= 2 * MANY
    assert totals["worst_back"] <= 5.0


@pytest.mark.long("redis-kills")
async def test_two_hundred_kills_under_a_torrent(tmp_path: Path) -> None:
    run = LongRun("redis-torrent", batches=4)
    for seed in run.left():
        run.keep(seed, await pour_and_kill(tmp_path / str(seed), seed, kills=50))
    assert run.totals()["kills"] >= 200
    assert "lost" not in run.totals()


@pytest.mark.long("redis-kills")
async def test_two_hundred_kills_with_an_accepted_loss(tmp_path: Path) -> None:
    run = LongRun("redis-torrent-everysec", batches=4)
    for seed in run.left():
        run.keep(seed, await pour_and_kill(tmp_path / str(seed), seed, kills=50, durability="second"))
    assert run.totals()["kills"] >= 200
