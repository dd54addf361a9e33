"""Links that break in mid-intent: nothing is lost or done twice, and the picture is the server's again."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.support.faults.kills.losing_links import lose_links
from tests.support.runs.longrun import Figures, LongRun


@pytest.mark.waits(times=200)
async def test_links_lost_in_mid_intent(tmp_path: Path) -> None:
    happened = await lose_links(tmp_path, 30, seed=1)
    assert (happened["losses"], happened["drifts"]) == (30, 0)


def batch(folder: Path, seed: int) -> Figures:
    place = folder / str(seed)
    place.mkdir()
    return asyncio.run(lose_links(place, 1_000, seed))


@pytest.mark.long("lost-links")
def test_long_links_lost_in_mid_intent(tmp_path: Path) -> None:
    total = LongRun("lost-links", batches=10).complete(partial(batch, tmp_path))
    assert total["losses"] >= 10_000
    assert total["worst_p99_ms"] <= 1_000
