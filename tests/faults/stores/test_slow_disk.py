"""A disk whose every sync takes half a second: acts wait for it, nothing else does."""

from pathlib import Path

import pytest

from tests.support.doubles.disk import SYNCING, no_tampering, tampered
from tests.support.doubles.slow_disk import DELAY, Figures, medians, room, too_slow, under_strace
from tests.support.runs.longrun import LongRun

PACE = 1.25
"""Seconds from act to act: as often on either disk, so that nothing but the disk makes a difference."""
needs_tampering = pytest.mark.skipif(bool(no_tampering()), reason=no_tampering() or "-")


@pytest.mark.waits(times=200)
@needs_tampering
async def test_only_acts_wait_for_a_slow_disk(tmp_path: Path) -> None:
    async with room(tmp_path, tables=2) as playing, tampered(playing.server.pid, SYNCING, f"delay_exit={DELAY}"):
        overtaken = playing.prober.overtaken
        await playing.play_until(
            lambda: len(playing.acts) > 5 and all(overtaken[kind] > 2 for kind in ("chat", "detail", "ping"))
        )
    assert min(playing.acts) >= DELAY / 1_000_000


@needs_tampering
@pytest.mark.long("slow-disk")
async def test_long_slow_disk_beside_a_quick_one(tmp_path: Path) -> None:
    run = LongRun("slow-disk", batches=1)
    for batch in run.left():
        runs: dict[bool, list[Figures]] = {False: [], True: []}
        for number in range(10):
            slow = number % 2 == 1
            place = tmp_path / str(number)
            async with room(place, tables=8, before=under_strace(slow=slow), pace=PACE) as playing:
                runs[slow].append(await playing.play(seconds=20))
        quick, hurt = medians(runs[False]), medians(runs[True])
        told = {f"quick_{name}_worst": value for name, value in quick._asdict().items()}
        run.keep(batch, told | {f"slow_{name}_worst": value for name, value in hurt._asdict().items()})
        assert not list(too_slow(quick, hurt))
