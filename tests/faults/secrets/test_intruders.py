"""Messages of other seats, out of turn, or at past prompts change nothing, however they are sent."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.support.faults.hostile.intruders import intrude
from tests.support.runs.longrun import Figures, LongRun


async def test_intruders_at_a_table(tmp_path: Path) -> None:
    happened = await intrude(tmp_path, 900, seed=1)
    assert happened["tries"] >= 900


def batch(folder: Path, seed: int) -> Figures:
    return asyncio.run(intrude(folder, 5_000, seed))


@pytest.mark.long("intruders")
def test_long_intruders(tmp_path: Path) -> None:
    total = LongRun("intruders", batches=20).complete(partial(batch, tmp_path))
    assert total["tries"] >= 100_000
