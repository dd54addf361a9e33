"""A kill in the middle of a deck draw: the same card comes as without it."""

import random
from pathlib import Path

import pytest

from tests.support.clients.dice.drawing import DRAWS, POINTS, kill_draws
from tests.support.runs.longrun import LongRun


async def test_a_kill_at_each_point_of_a_draw(tmp_path: Path) -> None:
    happened = await kill_draws(tmp_path / "run", POINTS)
    assert happened["kills"] == len(POINTS)


@pytest.mark.long("killed-draws")
async def test_long_killed_draws(tmp_path: Path) -> None:
    run = LongRun("killed-draws", batches=53)
    for seed in run.left():
        chance = random.Random(seed)
        points = [chance.choice(POINTS) for _ in range(DRAWS)]
        run.keep(seed, await kill_draws(tmp_path / str(seed), points))
    assert run.totals()["kills"] >= 1_000
