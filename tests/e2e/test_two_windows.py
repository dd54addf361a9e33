"""Two real windows, wire bots, bots in the server and a spectator: everyone sees what the server's log says."""

from pathlib import Path

import pytest

from tests.support.clients.company import Company
from tests.support.clients.windows.two_windows import check, check_replay, play_cards, play_on
from tests.support.faults.sturdy_server import SturdyServer


@pytest.mark.waits(times=200)
async def test_six_cards_look_the_same_to_everyone(tmp_path: Path) -> None:
    async with Company(tmp_path, server=SturdyServer) as company:
        watcher, seen = await play_cards(company, 6), await check(company)
    assert len(watcher.played) >= 6
    assert set(seen) == {"Ada", "Ben", "Cleo", "Dov", "Eve"}
    assert all(public > 6 for public, _ in seen.values())
    assert all(private > 1 for name, (_, private) in seen.items() if name != "Eve")


@pytest.mark.long("e2e")
async def test_a_whole_match_to_the_result_and_its_replay(tmp_path: Path) -> None:
    async with Company(tmp_path) as company:
        watcher = await play_on(company, 900)
        await check(company)
        await check_replay(company)
        results = [guest.result for guest in company.guests]
    assert watcher.result is not None
    assert all(result == watcher.result for result in results)


@pytest.mark.long("e2e")
async def test_a_match_of_three_against_three_companies_comes_to_its_end(tmp_path: Path) -> None:
    """Hidden units, overwatch and vehicles among them, with two windows, two wire bots and two bots in the server."""
    async with Company(tmp_path) as company:
        watcher = await play_on(company, 1500, "meeting_engagement:six", "apocalypse_earth", "level1")
        await check(company)
        await check_replay(company)
        results = [guest.result for guest in company.guests]
    assert watcher.result is not None
    assert all(result == watcher.result for result in results)
