"""The game of two armies in two real windows, by mouse and keys alone, with a spectator, to whom all shows the same."""

from pathlib import Path

import pytest

from tests.support.clients.company import Company
from tests.support.clients.windows.two_windows import (
    brought_about,
    check,
    check_replay,
    names_of,
    play_pair,
    sit_down_as_two,
)
from tests.support.runs.patience import PATIENCE

SYSTEM, SCENARIO = "one_page", "open_field_3000"


async def test_the_first_units_that_are_deployed_look_the_same_to_everyone(tmp_path: Path) -> None:
    async with Company(tmp_path) as company:
        watcher = await sit_down_as_two(company, SYSTEM, SCENARIO, 600)
        await company.wait(lambda: watcher.units >= 4, PATIENCE)
        number = watcher.seen.last()
        await company.wait(lambda: all(window.seen.last() >= number for window in company.windows), PATIENCE)
        seen = await check(company)
    assert set(seen) == {"Ada", "Ben", "Eve"}
    assert all(public > 4 for public, _ in seen.values())


@pytest.mark.long("e2e")
async def test_a_whole_battle_to_the_result_and_its_replay(tmp_path: Path) -> None:
    async with Company(tmp_path) as company:
        watcher = await play_pair(company, SYSTEM, SCENARIO, 3000)
        await check(company)
        await check_replay(company)
        done = [names_of(await brought_about(company, seat)) for seat in range(2)]
    assert watcher.result is not None
    for events in done:
        assert all(events[name] for name in ("UnitMoved", "Activated", "BlowStruck"))
    assert sum((events["MeleeFought"] for events in done), 0)
