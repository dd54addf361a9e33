"""Ten people use one server for days: nothing is stuck, nobody is bothered by a blocked person, nothing grows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from tests.support.clients.wire import running
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.lobby_week import Week
from tests.support.runs.longrun import LongRun

DAYS: Final = 7
LOOKED_AT: Final = 6
"""Sessions, and tables, that loops of the server hold because they looked at them last: 60 of each come a day."""


async def live(folder: Path, days: int) -> dict[str, float]:
    """Let these days pass, and check what is left after each."""
    folder.mkdir(exist_ok=True)
    async with running(folder, limits=UNHURRIED) as run:
        week = Week(run)
        await week.begin()
        for number in range(days):
            await week.day(number)
        assert not [line for line in run.lines if line["level"] == "error"]
    for day in week.left:
        assert max(day["Session"], day["LiveTable"]) <= LOOKED_AT, week.left
        for kind in ("token", "account", "came-from", "contacts"):
            assert day[kind] == week.left[0][kind], week.left
        # results stay for ever, and each evening has brought two
        assert day["table"] == week.left[0]["table"] + 2 * day["day"], week.left
    return {"days": days, "matches": week.played, "told": week.told}


@pytest.mark.waits
async def test_a_day_at_one_server(tmp_path: Path) -> None:
    assert (await live(tmp_path, 1))["matches"] == 2


def week(folder: Path) -> dict[str, float]:
    return asyncio.run(live(folder, DAYS))


@pytest.mark.long("lobby")
def test_long_a_week_at_one_server(tmp_path: Path) -> None:
    run = LongRun("lobby-week", batches=1)
    for batch in run.left():
        run.keep(batch, week(tmp_path))
    assert run.totals()["matches"] == 2 * DAYS
