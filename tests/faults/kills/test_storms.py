"""Thousands of kills: of the server on either store, and of Redis below it. Nothing acknowledged is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.doubles.redis_server import RedisServer
from tests.support.faults.kills.storm import rage
from tests.support.runs.longrun import LongRun


async def test_a_server_on_a_file_killed_four_times(tmp_path: Path) -> None:
    happened = await rage(tmp_path, seed=1, kills=4)
    assert happened["kills"] == 4
    assert happened["acts"] >= 8


async def test_a_server_on_redis_killed_three_times(tmp_path: Path, redis_server: RedisServer) -> None:
    happened = await rage(tmp_path, seed=2, kills=3, redis=redis_server)
    assert happened["kills"] == 3
    assert happened["acts"] >= 6


async def test_redis_killed_three_times(tmp_path: Path) -> None:
    redis = RedisServer(tmp_path / "redis")
    try:
        happened = await rage(tmp_path, seed=3, kills=3, redis=redis, victim="redis")
    finally:
        redis.close()
    assert happened["kills"] == 3
    assert happened["acts"] >= 6


@pytest.mark.long("kills")
async def test_a_thousand_kills_of_the_server(tmp_path: Path, redis_server: RedisServer) -> None:
    """Ten batches on a file, two on Redis."""
    run = LongRun("kills", batches=12)
    for seed in run.left():
        redis = redis_server if seed >= 10 else None
        run.keep(seed, await rage(tmp_path / str(seed), 100 + seed, 100, redis))
    assert run.totals()["kills"] >= 1_200


@pytest.mark.long("redis-kills")
async def test_two_hundred_kills_of_redis(tmp_path: Path) -> None:
    run = LongRun("redis-kills", batches=4)
    for seed in run.left():
        redis = RedisServer(tmp_path / f"redis-{seed}")
        run.keep(seed, await rage(tmp_path / str(seed), 200 + seed, 50, redis, "redis"))
        redis.close()
    assert run.totals()["kills"] >= 200
