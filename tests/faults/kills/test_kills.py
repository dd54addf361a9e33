"""A server killed with SIGKILL under play loses nothing that it has acknowledged."""

from pathlib import Path

import pytest

from tests.support.doubles.redis_server import RedisServer
from tests.support.faults.kills.killing import DUEL, SKIRMISH, Stage, kill_again_and_again


async def test_three_kills(tmp_path: Path) -> None:
    happened = await kill_again_and_again(DUEL, tmp_path, kills=3, seed=1)
    assert happened["acknowledged"] > 50
    assert happened["links"] > 6


async def test_a_whole_match_in_redis_with_kills_of_both(tmp_path: Path) -> None:
    redis = RedisServer(tmp_path / "redis")
    try:
        happened = await kill_again_and_again(DUEL, tmp_path, kills=2, seed=2, redis=redis)
    finally:
        redis.close()
    assert happened["acknowledged"] > 50
    assert happened["links"] > 6


@pytest.mark.long("fifty-kills")
async def test_a_whole_action_card_match_in_redis_with_kills_of_both(tmp_path: Path) -> None:
    redis = RedisServer(tmp_path / "redis")
    try:
        happened = await kill_again_and_again(SKIRMISH, tmp_path, kills=10, seed=3, redis=redis)
    finally:
        redis.close()
    assert happened["links"] >= SKIRMISH.seats * 5


@pytest.mark.long("fifty-kills")
@pytest.mark.parametrize(
    ("stage", "seed"),
    [(DUEL, 1), (DUEL, 2), (DUEL, 3), (SKIRMISH, 4), (SKIRMISH, 5)],
    ids=["duel-1", "duel-2", "duel-3", "skirmish-1", "skirmish-2"],
)
async def test_fifty_kills_in_five_parts(tmp_path: Path, stage: Stage, seed: int) -> None:
    happened = await kill_again_and_again(stage, tmp_path, kills=10, seed=100 * seed)
    assert happened["links"] >= stage.seats * 10
