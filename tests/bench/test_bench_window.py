"""The benchmark of the window: what it is told is a table of the size it names, and a short run finds every figure."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from bench import window_frames, window_runs
from bench.figures import AIMS
from bench.window_told import WindowFrames
from protocol.limits import Limits
from protocol.wire.codec import decode_message
from protocol.wire.from_server import Delta, Snapshot


@pytest.mark.slow
def test_the_window_is_told_of_240_figures_40_features_and_shots(tmp_path: Path) -> None:
    window_frames.write_frames(tmp_path / "frames", shots=3)
    told = msgspec.msgpack.decode((tmp_path / "frames").read_bytes(), type=WindowFrames)
    *_, snapshot = (decode_message(data, Limits()) for data in told.table)
    assert isinstance(snapshot, Snapshot)
    kinds = Counter(name.partition("/")[0] for name in snapshot.nodes)
    assert (kinds["piece"], kinds["feature"]) == (240, 40)
    assert all(isinstance(decode_message(data, Limits()), Delta) for data in told.deltas)
    assert len(told.deltas) >= 3


@pytest.mark.long("bench")
@pytest.mark.waits
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_a_short_run_finds_every_figure_of_the_window() -> None:
    found = {one.name: one.value for one in window_runs.window_figures(frames=10, starts=1)}
    assert found.keys() == {name for name in AIMS if name.startswith(("frame_", "window_"))}
    assert min(found.values()) > 0
