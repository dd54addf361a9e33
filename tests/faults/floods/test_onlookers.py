"""Spectators and readers that do not read: what players feel of them, and what they cost."""

from pathlib import Path

import pytest

from tests.support.clients.watched import is_within, measure_crowd, measure_silence
from tests.support.runs.longrun import LongRun

MOST_BYTES = 512 * 1024
MOST_SECONDS = 10.0


@pytest.mark.waits(times=200)
async def test_forty_spectators_are_served(tmp_path: Path) -> None:
    found = await measure_crowd(tmp_path, 40, turns=5, pause=0.05, runs=1)
    assert found["watched_ms"] > 0


@pytest.mark.waits(times=200)
async def test_silent_readers_are_bounded_and_closed(tmp_path: Path) -> None:
    found = await measure_silence(tmp_path, 10, runs=1, turns=10, pause=0.002)
    assert found["full"] == 10
    assert found["worst_bytes"] <= MOST_BYTES


@pytest.mark.long("spectators")
async def test_long_a_thousand_spectators(tmp_path: Path) -> None:
    run = LongRun("spectators", batches=1)
    for batch in run.left():
        found = await measure_crowd(tmp_path, 1_000, turns=30, pause=0.5)
        run.keep(batch, {f"worst_{name}": value for name, value in found.items()})
    totals = run.totals()
    assert is_within(totals["worst_alone_ms"], totals["worst_watched_ms"]), totals


@pytest.mark.long("silent-readers")
async def test_long_a_thousand_silent_readers(tmp_path: Path) -> None:
    run = LongRun("silent-readers", batches=1)
    for batch in run.left():
        found = await measure_silence(tmp_path, 1_000)
        run.keep(batch, {f"worst_{name}": value for name, value in found.items()})
    totals = run.totals()
    assert totals["worst_full"] >= 0.9 * totals["worst_readers"], totals
    assert totals["worst_worst_bytes"] <= MOST_BYTES
    assert totals["worst_worst_seconds"] <= MOST_SECONDS
    assert is_within(totals["worst_alone_p99_ms"], totals["worst_beside_p99_ms"]), totals
