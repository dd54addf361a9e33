"""A whole match with vehicles, a helicopter, a transport and a blast weapon, by keys and mouse in the real client."""

from pathlib import Path

import pytest

from tests.support.company import Company
from tests.support.two_windows import check_replay, done_by

USED = (
    *("VehicleDriven", "VehicleRose", "VehicleFlew", "VehicleLanded"),
    *("GroupEmbarked", "GroupDisembarked", "BurstFell"),
)


@pytest.mark.long("e2e")
async def test_one_window_drives_flies_carries_and_shells_to_the_end(tmp_path: Path) -> None:
    async with Company(tmp_path) as company:
        ada = await company.window("Ada", "--scenario", "salt_road", "--people", "1", seconds=600)
        assert await ada.wait(600) == 0
        assert await company.server.end() == 0
        done = await done_by(company, 0)
        await check_replay(company)
    assert ada.report["drifts"] == 0
    assert [name for name in USED if not done[name]] == []
