"""Frames that nobody should send: no crash, no fault in the log, nothing changed, no memory kept."""

from pathlib import Path

import pytest

from tests.support.fuzz_runs import fuzz_conversation, fuzz_server
from tests.support.fuzzing import raw_frames, wrong_shapes
from tests.support.longrun import LongRun


def test_frames_bent_by_chance_at_the_conversation() -> None:
    happened = fuzz_conversation(raw_frames, 50_000, seed=1)
    assert happened["refused"] > 25_000 and happened["messages"] > 100


def test_wrong_shapes_at_the_conversation() -> None:
    happened = fuzz_conversation(wrong_shapes, 50_000, seed=1)
    assert happened["refused"] > 25_000 and happened["messages"] > 100
    assert happened["worst_p99_us"] < 1_000


async def test_frames_bent_by_chance_at_a_server(tmp_path: Path) -> None:
    happened = await fuzz_server(tmp_path, raw_frames, 120, seed=1)
    assert happened["links"] > 20


async def test_wrong_shapes_at_a_server(tmp_path: Path) -> None:
    await fuzz_server(tmp_path, wrong_shapes, 250, seed=1)


@pytest.mark.long("fuzz-raw")
async def test_long_frames_bent_by_chance(tmp_path: Path) -> None:
    run = LongRun("fuzz-raw", batches=10)
    for seed in run.left():
        figures = fuzz_conversation(raw_frames, 99_500, seed)
        figures |= {f"server_{k}": v for k, v in (await fuzz_server(tmp_path, raw_frames, 500, seed)).items()}
        run.keep(seed, figures)
    assert run.totals()["frames"] + run.totals()["server_frames"] >= 1_000_000


@pytest.mark.long("fuzz-shapes")
async def test_long_wrong_shapes(tmp_path: Path) -> None:
    run = LongRun("fuzz-shapes", batches=50)
    for seed in run.left():
        figures = fuzz_conversation(wrong_shapes, 199_500, seed)
        figures |= {f"server_{k}": v for k, v in (await fuzz_server(tmp_path, wrong_shapes, 500, seed)).items()}
        run.keep(seed, figures)
    assert run.totals()["frames"] + run.totals()["server_frames"] >= 10_000_000
