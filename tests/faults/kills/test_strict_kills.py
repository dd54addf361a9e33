"""A kill between a step that is put off at a strict table and its outcome: it changes neither."""

from pathlib import Path

import pytest

from tests.support.doubles.redis_server import RedisServer
from tests.support.faults.kills.strict_kills import (
    EVERYWHERE,
    EVERYWHERE_BUT_IN_FILES,
    Kill,
    by_chance,
    kill_strict_steps,
)
from tests.support.runs.longrun import LongRun

A_BATCH = 25


async def test_a_kill_at_each_step_of_an_act_that_is_put_off(tmp_path: Path) -> None:
    kills = [Kill("appended", hits, strikes) for hits in (1, 2) for strikes in (False, True)]
    happened = await kill_strict_steps(tmp_path / "run", [*kills, Kill("told", 3, strikes=False)])
    assert happened["kills"] == 5
    assert happened["between"] == 4


@pytest.mark.long("strict-kills")
async def test_long_strict_kills(tmp_path: Path) -> None:
    run = LongRun("strict-kills", batches=42)
    for seed in run.left():
        kills = EVERYWHERE if seed == 0 else by_chance(seed, A_BATCH)
        run.keep(seed, await kill_strict_steps(tmp_path / str(seed), kills))
    assert run.totals()["kills"] >= 1_000


@pytest.mark.long("strict-kills")
async def test_long_strict_kills_in_redis(tmp_path: Path) -> None:
    run = LongRun("strict-kills-redis", batches=8)
    redis = RedisServer(tmp_path / "redis")
    try:
        for seed in run.left():
            kills = EVERYWHERE_BUT_IN_FILES if seed == 0 else by_chance(seed, A_BATCH, EVERYWHERE_BUT_IN_FILES)
            run.keep(seed, await kill_strict_steps(tmp_path / str(seed), kills, redis.place()))
    finally:
        redis.close()
    totals = run.totals()
    assert totals["kills"] >= 200
    assert totals["between"] >= 100
