"""Tests that wait, repeated on a busy machine: none may fail by chance. How they are marked and counted."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.support.runs.longrun import ROOT
from tests.support.waits import marking
from tests.support.waits.repeating import ROUNDS, SHARDS, Passes, chosen, repeat
from tests.support.waits.spinning import busy

MOST_SECONDS = 25 * 60.0
SOME = """
import pytest
from pathlib import Path

def test_well(): pass

def test_once_not_well():
    runs = Path(__file__).with_name("runs")
    runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
    assert len(runs.read_text()) != 2

def test_elsewhere(): pytest.skip("not here")
"""
UNMARKED = """
import subprocess, threading, pytest

def test_thread(): threading.Thread(target=int).start()

@pytest.mark.waits
def test_program(): subprocess.run(["true"])

async def test_coroutine(): subprocess.run(["true"])

def test_none(): pass

@pytest.mark.long("some")
def test_long(): subprocess.run(["true"])
"""


def lives(number: int) -> bool:
    """Return whether a process runs."""
    return Path(f"/proc/{number}").exists()


def told_of_unmarked(folder: Path, *options: str) -> str:
    """Return what pytest prints of UNMARKED."""
    (folder / "test_some.py").write_text(UNMARKED)
    command = (sys.executable, "-m", "pytest", "-n", "0", "-q", "-c", str(ROOT / "pyproject.toml"), *options)
    placed = ("--rootdir", str(folder), "-p", "tests.conftest", str(folder / "test_some.py"))
    there = ROOT / "tests" / "faults"
    done = subprocess.run([*command, *placed], cwd=there, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.waits
def test_a_test_that_waits_and_is_not_marked_fails(tmp_path: Path) -> None:
    told = told_of_unmarked(tmp_path)
    assert "calls Thread.start, so that it waits: mark its module" in told
    assert "1 failed, 3 passed" in told


@pytest.mark.waits
def test_a_long_test_that_waits_needs_no_marker_of_its_own(tmp_path: Path) -> None:
    assert "1 passed, 4 deselected" in told_of_unmarked(tmp_path, "--long", "--part=some")


@pytest.mark.waits
def test_loops_spin_beside_what_is_tried_and_end_with_it() -> None:
    with busy() as numbers:
        assert len(numbers) == 2
        assert all(lives(number) for number in numbers)
    assert not any(lives(number) for number in numbers)


@pytest.mark.waits
def test_passes_in_a_row_are_counted_and_those_behind_go_first(tmp_path: Path) -> None:
    for module in "abc":
        (tmp_path / module).touch()
    passes = Passes(tmp_path / "waits.json", {"a": 20, "b": 200, "c": 20}, tmp_path)
    assert passes.left() == {"a": 20, "b": 20, "c": 20}
    for test, times in (("a", 20), ("b", 19)):
        for _ in range(times):
            passes.note(test, "passed")
    passes.note("c", "skipped")
    passes.note("b", "failed")
    passes.keep()
    again = Passes(tmp_path / "waits.json", {"a": 20, "b": 200, "c": 20}, tmp_path)
    assert (again.left(), again.failed, again.skipped) == ({"b": 20}, {"b": 1}, {"c"})
    for _ in range(20):
        again.note("b", "passed")
    assert again.left() == {"b": 180}
    (tmp_path / "a").write_text("another test")
    assert Passes(tmp_path / "waits.json", {"a": 20}, tmp_path).left() == {"a": 20}


def test_processes_run_all_that_are_behind_or_share_the_last_passes() -> None:
    assert chosen({"a": 20, "b": 18, "c": 3}) == [(["a", "b"], 3)] * 3 + [(["b", "a"], 3)] * 3
    assert chosen({"a": 200}) == [(["a"], ROUNDS)] * SHARDS
    assert chosen({"a": 2, "b": 2, "c": 2}) == [(["a"], 2), (["b"], 2), (["c"], 2)]


@pytest.mark.waits
def test_a_run_goes_on_where_it_stopped_and_keeps_what_failed(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(SOME)
    due = {f"test_some.py::test_{name}": 2 for name in ("well", "once_not_well", "elsewhere")}
    kept = (tmp_path / "waits.json", tmp_path / "out" / "waits", tmp_path)
    assert repeat(due, 0, *kept, nullcontext).left() == due
    passes = repeat(due, 600, *kept, nullcontext)
    assert (passes.left(), passes.failed) == ({}, {"test_some.py::test_once_not_well": 1})
    assert passes.skipped == {"test_some.py::test_elsewhere"}
    assert (tmp_path / "runs").read_text() == "x" * 4
    assert repeat(due, 600, *kept, nullcontext).failed == passes.failed
    assert "assert 2 != 2" in "".join(log.read_text() for log in (tmp_path / "out").glob("*.log"))


@pytest.mark.long("waits")
def test_long_none_of_those_that_wait_fails_by_chance() -> None:
    passes = repeat(marking.due, MOST_SECONDS)
    assert not passes.failed, passes.told
    if passes.left():
        pytest.skip(f"{passes.told}; the next run goes on")
