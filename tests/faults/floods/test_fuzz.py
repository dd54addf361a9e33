"""Frames that nobody should send: no crash, no fault in the log, nothing changed, no memory kept."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.support.faults.hostile.fuzz_runs import fuzz_conversation, fuzz_server
from tests.support.faults.hostile.fuzzing import raw_frames, wrong_shapes
from tests.support.faults.hostile.fuzzing_lists import fuzz_lists
from tests.support.runs.longrun import Figures, LongRun


def test_frames_bent_by_chance_at_the_conversation() -> None:
    happened = fuzz_conversation(raw_frames, 12_000, seed=1)
    assert happened["refused"] > 6_000
    assert happened["messages"] > 100


def test_wrong_shapes_at_the_conversation() -> None:
    happened = fuzz_conversation(wrong_shapes, 12_000, seed=1)
    assert happened["refused"] > 6_000
    assert happened["messages"] > 100
    assert happened["worst_p99_us"] < 1_000


async def test_frames_bent_by_chance_at_a_server(tmp_path: Path) -> None:
    happened = await fuzz_server(tmp_path, raw_frames, 160, seed=1)
    assert happened["links"] > 20


async def test_wrong_shapes_at_a_server(tmp_path: Path) -> None:
    await fuzz_server(tmp_path, wrong_shapes, 160, seed=1)


def raw_batch(folder: Path, seed: int) -> Figures:
    at_server = asyncio.run(fuzz_server(folder, raw_frames, 5_000, seed))
    return fuzz_conversation(raw_frames, 120_000, seed) | {f"server_{k}": v for k, v in at_server.items()}


@pytest.mark.long("fuzz-raw")
def test_long_frames_bent_by_chance(tmp_path: Path) -> None:
    total = LongRun("fuzz-raw", batches=8).complete(partial(raw_batch, tmp_path))
    assert total["frames"] + total["server_frames"] >= 1_000_000


def shapes_batch(folder: Path, seed: int) -> Figures:
    at_server = asyncio.run(fuzz_server(folder, wrong_shapes, 2_000, seed))
    return fuzz_conversation(wrong_shapes, 498_000, seed) | {f"server_{k}": v for k, v in at_server.items()}


@pytest.mark.long("fuzz-shapes")
def test_long_wrong_shapes(tmp_path: Path) -> None:
    total = LongRun("fuzz-shapes", batches=20).complete(partial(shapes_batch, tmp_path))
    assert total["frames"] + total["server_frames"] >= 10_000_000
    assert total["worst_p99_us"] < 1_000


def test_army_lists_that_nobody_should_send() -> None:
    happened = fuzz_lists(600, seed=1)
    assert happened["shown"] > 150
    assert happened["refused"] > 150


def lists_batch(seed: int) -> Figures:
    return fuzz_lists(25_000, seed)


@pytest.mark.long("fuzz-lists")
def test_long_army_lists_that_nobody_should_send() -> None:
    assert LongRun("fuzz-lists", batches=8).complete(lists_batch)["drafts"] >= 200_000
