"""Links that break in mid-intent: nothing is lost or done twice, and the picture is the server's again."""

from pathlib import Path

import pytest

from tests.support.longrun import LongRun
from tests.support.losing_links import lose_links


async def test_links_lost_in_mid_intent(tmp_path: Path) -> None:
    happened = await lose_links(tmp_path, 30, seed=1)
    assert happened["worst_p99_ms"] <= 1_000


@pytest.mark.long("lost-links")
async def test_long_links_lost_in_mid_intent(tmp_path: Path) -> None:
    run = LongRun("lost-links", batches=10)
    for seed in run.left():
        folder = tmp_path / str(seed)
        folder.mkdir()
        run.keep(seed, await lose_links(folder, 1_000, seed))
    assert run.totals()["losses"] >= 10_000 and run.totals()["worst_p99_ms"] <= 1_000
