"""Stolen tokens, codes and positions open nothing, and logging out ends open connections."""

from pathlib import Path

import pytest

from tests.support.faults.hostile.thieves import log_out, steal
from tests.support.runs.longrun import LongRun


async def test_stolen_tokens_and_codes_open_nothing(tmp_path: Path) -> None:
    assert await steal(tmp_path, 100, seed=1) == {"tries": 100, "accepted": 0}


@pytest.mark.waits(times=200)
async def test_logging_out_closes_even_what_does_not_read(tmp_path: Path) -> None:
    assert (await log_out(tmp_path, 2))["logouts"] == 2


@pytest.mark.long("thieves")
async def test_long_thieves(tmp_path: Path) -> None:
    run = LongRun("thieves", batches=10)
    for seed in run.left():
        folder = tmp_path / str(seed)
        (folder / "out").mkdir(parents=True)
        run.keep(seed, await steal(folder, 1_000, seed) | await log_out(folder / "out", 5))
    totals = run.totals()
    assert totals["tries"] >= 10_000
    assert not totals["accepted"]
    assert totals["worst_seconds"] <= 1
