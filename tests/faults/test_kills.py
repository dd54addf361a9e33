"""A server killed with SIGKILL under play loses nothing that it has acknowledged."""

from pathlib import Path

import pytest

from tests.support.killing import kill_again_and_again


async def test_three_kills(tmp_path: Path) -> None:
    happened = await kill_again_and_again(tmp_path, kills=3, seed=1)
    assert happened["acknowledged"] > 50 and happened["links"] > 6


@pytest.mark.long("kills")
@pytest.mark.parametrize("part", range(5))
async def test_fifty_kills_in_five_parts(tmp_path: Path, part: int) -> None:
    happened = await kill_again_and_again(tmp_path, kills=10, seed=100 * (part + 1))
    assert happened["links"] >= 6 * 10
