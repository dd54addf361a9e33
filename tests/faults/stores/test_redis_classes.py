"""Redis killed under play in each class of durability: what was acknowledged is kept, or counted and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.store.redis.durability import Durability
from tests.support.faults.kills.redis_classes import kill_redis
from tests.support.runs.longrun import LongRun

KILLS = 5
"""Of one batch."""


@pytest.mark.long("redis-classes")
@pytest.mark.parametrize("durability", ["disk", "replica", "second"])
async def test_fifty_kills_in_a_class(tmp_path: Path, durability: Durability) -> None:
    run = LongRun(f"redis-{durability}", batches=10)
    for batch in run.left():
        run.keep(batch, await kill_redis(tmp_path / str(batch), durability, KILLS, seed=100 * batch))
    totals = run.totals()
    assert totals["kills"] >= 50
    assert totals["acknowledged"] > 500
    if durability == "second":
        assert totals["steps_lost"] > 0, "the test cuts no replica off"
