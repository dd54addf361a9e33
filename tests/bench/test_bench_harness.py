"""The benchmark's own parts: what it reads, keeps and compares; a short run against a real server and a real limit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench import advice_runs, bot_runs, figures, scenes, server_runs, stored
from bench.figures import Run, figure
from bench.wire import framed

pytestmark = pytest.mark.waits


def test_a_figure_knows_what_it_is_to_reach() -> None:
    found = figure("p50_200", 2.5, extra=1.0)
    assert (found.must, found.goal, found.better) == (4, 3, "lower")
    assert figures.meets(found, found.must)
    assert figures.meets(found, found.goal)
    assert not figures.meets(figure("share_200", 0.3), 0.35)
    assert "MISSED" in figures.table([figure("step", 61)])


def test_runs_are_kept_and_two_commits_stand_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for commit, value in (("aaa1", 80.0), ("bbb2", 40.0)):
        figures.keep(Run(commit, "here", "today", (figure("step", value),)), path)
    one, other = (stored.newest(figures.runs(path), commit) for commit in ("aaa", "bbb"))
    assert "0.50  better" in stored.compared(one, other)


@pytest.mark.parametrize("size", [0, 125, 126, 70])
def test_frames_of_the_lean_client_are_masked_by_nothing(size: int) -> None:
    frame = framed(bytes(size))
    assert frame[0] == 0x82
    assert frame[1] & 0x80
    assert len(frame) == size + (6 if size < 126 else 8)


def test_every_seat_of_the_bench_scenario_can_shoot_again_and_again() -> None:
    game = scenes.match()
    seat = game.match.may_act()[0]
    for _ in range(3):
        game.submit(seat, scenes.shots(game.match.state)[seat])
    assert (game.match.may_act(), game.match.question, game.match.state.left) == ((seat,), None, 997)


@pytest.mark.long("bench")
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_a_short_run_measures_the_server_and_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_runs, "WARM", 0.5)
    before = os.sched_getaffinity(0)
    try:
        found = server_runs.with_server(lambda bench: server_runs.at_tables(bench, 20, seconds=1.0))
    finally:
        os.sched_setaffinity(0, before)
    values = {one.name: one.value for one in found}
    assert values["cpu_20"] > values["share_20"] > 0
    assert values["rate_20"] > 1


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_a_short_run_measures_a_bystander_beside_bots() -> None:
    found = {one.name: one for one in bot_runs.bystander_figures(bot_runs.Size(tables=2, seconds=0.5))}
    assert found["ping_idle"].value > 0
    assert found["ping_bots"].value > 0
    assert found["steps_bots"].value > 0
    assert found["ping_bots"].must == pytest.approx(max(20.0, 4 * found["ping_idle"].value), rel=0.01)


def test_advice_is_measured_slice_by_slice() -> None:
    took = advice_runs.asked(*advice_runs.PLACES["cards"], seconds=1.0)
    for kind in ("survey", "proposal"):
        assert took[kind][0] > 0
        assert took[kind] == sorted(took[kind])
