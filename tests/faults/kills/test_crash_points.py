"""A server that dies at any named point of the append path: all or nothing, and a retry does nothing twice."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from server.runtime.crash_points import CRASH_POINTS, UNTOLD
from tests.support.faults.kills.doom import Death, crash_again_and_again
from tests.support.runs.longrun import Figures, LongRun

TABLES = 12
"""At once, for the long run of retries: one crash is met by many acts."""


def everywhere(seed: int, times: int) -> list[Death]:
    """Every point, so often, in an order of chance, now at once and now later."""
    chance = random.Random(seed)
    deaths = [(point, chance.randrange(1, 9)) for point in CRASH_POINTS for _ in range(times)]
    chance.shuffle(deaths)
    return deaths


def untold(seed: int, times: int) -> list[Death]:
    """Between the append and its acknowledgement, and in turn between the sealing of an answer and its own: what was
    not stored is sent again in peace, and all tables are in step for the next death."""
    chance = random.Random(seed)
    points = [point for point in UNTOLD if point not in ("committed", "answer-sealed")]
    deaths: list[Death] = []
    for _ in range(times // 2):
        deaths += [(chance.choice(points), chance.randrange(1, 3)), ("answer-sealed", chance.randrange(1, 3))]
    return deaths


async def test_a_crash_at_each_of_twelve_points(tmp_path: Path) -> None:
    happened = await crash_again_and_again(tmp_path / "run", everywhere(1, 1))
    assert len(CRASH_POINTS) == 12
    assert happened["crashes"] >= 12


async def test_retries_after_an_append_that_was_not_acknowledged(tmp_path: Path) -> None:
    happened = await crash_again_and_again(tmp_path / "run", untold(1, 8), tables=6)
    assert happened["retried"] >= 8


def crash_batch(folder: Path, seed: int) -> Figures:
    return asyncio.run(crash_again_and_again(folder / str(seed), everywhere(seed, 5)))


@pytest.mark.long("crash-points")
def test_long_crashes_at_each_point(tmp_path: Path) -> None:
    total = LongRun("crash-points", batches=10).complete(partial(crash_batch, tmp_path))
    assert total["crashes"] >= 600


def retry_batch(folder: Path, seed: int) -> Figures:
    return asyncio.run(crash_again_and_again(folder / str(seed), untold(seed, 110), TABLES))


@pytest.mark.long("retries")
def test_long_retries(tmp_path: Path) -> None:
    total = LongRun("retries", batches=18).complete(partial(retry_batch, tmp_path))
    assert total["retried"] >= 10_000
