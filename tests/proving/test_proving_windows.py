"""The proving game in two real windows, by mouse and keys alone."""

from pathlib import Path

import pytest

from server.content.systems import Installed
from tests.support.clients.windows.proving_windows import play_in_windows


@pytest.mark.long("e2e")
async def test_two_windows_play_a_short_match_to_its_end(tmp_path: Path, proving: dict[str, Installed]) -> None:
    assert "short" in proving["proving"].scenarios
    seen = await play_in_windows(tmp_path, "short", 60)
    assert all(public > 5 and private > 3 for public, private in seen.values())


@pytest.mark.long("e2e")
async def test_two_windows_play_a_long_match_to_its_end(tmp_path: Path, proving: dict[str, Installed]) -> None:
    assert "long" in proving["proving"].scenarios
    seen = await play_in_windows(tmp_path, "long", 600)
    assert all(public > 60 and private > 40 for public, private in seen.values())


@pytest.mark.long("e2e")
@pytest.mark.parametrize("scenario", ["alone", "drill"])
async def test_windows_prepare_in_any_order_and_play_alone_against_the_game(
    tmp_path: Path, proving: dict[str, Installed], scenario: str
) -> None:
    seats = proving["proving"].scenarios[scenario].seats
    seen = await play_in_windows(tmp_path, scenario, 120, alone=seats == 1)
    assert all(public > 5 and private > 5 for public, private in seen.values())
