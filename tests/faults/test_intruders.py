"""What is not one's own, not one's turn, or no longer asked, changes nothing, however it is sent."""

from pathlib import Path

import pytest

from tests.support.intruders import intrude
from tests.support.longrun import LongRun


async def test_intruders_at_a_table(tmp_path: Path) -> None:
    happened = await intrude(tmp_path, 900, seed=1)
    assert happened["tries"] >= 900


@pytest.mark.long("intruders")
async def test_long_intruders(tmp_path: Path) -> None:
    run = LongRun("intruders", batches=20)
    for seed in run.left():
        run.keep(seed, await intrude(tmp_path, 5_000, seed))
    assert run.totals()["tries"] >= 100_000
