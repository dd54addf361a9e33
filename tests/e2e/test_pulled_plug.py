"""A match of six in which one player loses the connection: a bot plays on within the clock until they come back."""

from pathlib import Path

import pytest

from tests.support.faults.kills.pulled_plug import play


@pytest.mark.long("e2e")
async def test_a_bot_plays_for_a_player_who_is_gone_until_they_return(tmp_path: Path) -> None:
    played = await play(tmp_path, 600, whole=False)
    assert played.notes == [("bot", ""), ("person", "")]
    assert played.expired == 0


@pytest.mark.long("e2e")
async def test_a_player_comes_back_and_finishes_the_match(tmp_path: Path) -> None:
    played = await play(tmp_path, 900, whole=True)
    assert played.notes == [("bot", ""), ("person", "")]
    assert played.expired == 0
    assert played.results[0] is not None
    assert all(result == played.results[0] for result in played.results)
