"""A whole match with vehicles, a helicopter, a transport and a blast weapon, by keys and mouse in the real client.

Random play seldom comes to all of these, so the person at the window (tests/support/clients/windows/robot.py) prefers
acts that they have not done yet, and takes a picture after each. `make long PART=e2e` has them under pytest's folder.
"""

from pathlib import Path

import pytest

from engine.rulesets.action_cards.state.vehicle_events import VehicleFlew
from tests.support.clients.company import Company
from tests.support.clients.windows.two_windows import brought_about, check_replay, names_of

USED = (
    *("VehicleDriven", "VehicleRose", "VehicleFlew", "VehicleLanded"),
    *("GroupEmbarked", "GroupDisembarked", "BurstFell"),
)
WHEELS = ("drive", "take_off", "fly", "land", "embark", "disembark", "blast")


@pytest.mark.long("e2e")
async def test_one_window_drives_flies_carries_and_shells_to_the_end(tmp_path: Path) -> None:
    async with Company(tmp_path, pictures=True) as company:
        ada = await company.window("Ada", "--scenario", "salt_road", "--people", "1", seconds=600)
        assert await ada.wait(600) == 0
        assert await company.server.end() == 0
        done = await brought_about(company, 0)
        await check_replay(company)
    assert ada.report["drifts"] == 0
    assert [name for name in USED if not names_of(done)[name]] == []
    assert any(isinstance(event, VehicleFlew) and event.came != event.to for event in done)
    pictures = {path.stem.partition("-")[2] for path in ada.folder.glob("*.png")}
    assert {f"after-{kind}" for kind in WHEELS} <= pictures
