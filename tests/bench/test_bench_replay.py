"""The benchmark of replays: a short replay is jumped about in by a window of its own, and a failure is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import AIMS
from bench.replay_process import JUMPS
from bench.replay_runs import LONGEST, seeks
from tests.support.examples.golden import FOLDER


@pytest.mark.long("bench")
@pytest.mark.waits
def test_a_window_jumps_about_in_a_replay() -> None:
    found = seeks(FOLDER / "duel-rules1-log2-dice2-file2.replay")
    assert 2 * JUMPS < len(found) <= 3 * (JUMPS + 2)
    assert 0 < min(found) <= max(found) < 1


@pytest.mark.long("bench")
@pytest.mark.waits
def test_a_window_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"none\.replay"):
        seeks(tmp_path / "none.replay")


def test_each_game_has_its_figures() -> None:
    assert {f"seek_{game}{part}" for game in LONGEST for part in ("", "_worst")} <= AIMS.keys()
