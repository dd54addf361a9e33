"""One player of six pulls the plug; a bot plays on within the clock; he comes back and plays on, or to the end."""

from pathlib import Path

import pytest

from tests.support.faults.pulled_plug import play


@pytest.mark.waits(times=200)
async def test_a_bot_plays_for_one_who_is_gone_and_he_has_his_seat_back(tmp_path: Path) -> None:
    course = await play(tmp_path, 600, whole=False)
    assert course.notes == [("bot", ""), ("person", "")]
    assert course.expired == 0


@pytest.mark.long("e2e")
async def test_he_comes_back_and_finishes_the_match(tmp_path: Path) -> None:
    course = await play(tmp_path, 900, whole=True)
    assert course.notes == [("bot", ""), ("person", "")]
    assert course.expired == 0
    assert course.results[0] is not None
    assert all(result == course.results[0] for result in course.results)
