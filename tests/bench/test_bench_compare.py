"""Two commits measured in turn: ratios and interval, verdict, asking for commits, and that nothing is left behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest

from bench import compare, pairs
from bench.checkouts import CannotCompare, find, unpack
from bench.pair_run import ENDING, Load, begun
from bench.pairs import Comparison, Pair, Turn
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

needs_two_cores = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
SHORT = Load(tables=2, warm=0.5, seconds=1.0, spans=2, most=600)
STUCK = """import os, pathlib, signal, subprocess
child = subprocess.Popen(["sleep", "600"])
pathlib.Path(os.environ["UP"]).write_text(f"{os.getpid()} {child.pid} ")
signal.pause()
"""
"""A bench that never ends, nor does what it starts. It says their numbers in a pipe, where two may do so at once."""


def comparison(*ratios: float) -> Comparison:
    """A costs 100 microseconds an intent in every pair."""
    found = [Pair("A", Turn(0.1, 1_000), Turn(0.05 * ratio, 500)) for ratio in ratios]
    return Comparison("aaa", "bbb", "today", "here", 20, tuple(found))


def repository(root: Path, *commits: dict[str, str]) -> Path:
    """A repository at `root` with one commit for each of these."""

    def git(*arguments: str) -> None:
        named = ["-c", "user.name=Nobody", "-c", "user.email=nobody@invalid", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *named, *arguments], cwd=root, check=True, capture_output=True)

    root.mkdir()
    git("init")
    for number, files in enumerate(commits):
        for name, text in files.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        git("add", ".")
        git("commit", "-m", f"Number {number}")
    return root


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary ones are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The pipe in which STUCK says its processes, open to be read."""
    path = tmp_path / "up"
    os.mkfifo(path)
    monkeypatch.setenv("UP", str(path))
    handle = os.open(path, os.O_RDWR)
    yield handle
    os.close(handle)


def told_in(handle: int) -> list[int]:
    """The processes of STUCK, which says them once it is up."""
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    assert waiting.poll(1000 * PATIENCE)
    return [int(number) for number in os.read(handle, 100).split()]


def lives(number: int) -> bool:
    """Tell if a process runs: one that has ended may still be listed."""
    path = Path(f"/proc/{number}/stat")
    return path.exists() and path.read_text().rpartition(")")[2].split()[0] != "Z"


# Arithmetic


def test_the_ratio_is_of_the_cost_of_an_intent() -> None:
    assert Turn(0.5, 1_000).cost == pytest.approx(500)
    assert Pair("A", Turn(1.0, 1_000), Turn(1.0, 500)).ratio == pytest.approx(2)
    assert pairs.total([Turn(1.0, 1_000), Turn(3.0, 1_000)]).cost == pytest.approx(2_000)


def test_median_and_interval_of_six_pairs() -> None:
    found = comparison(1.2, 0.9, 1.0, 1.1, 1.3, 1.04)
    assert found.median == pytest.approx(1.07)
    assert found.interval == pytest.approx((0.9, 1.3))
    assert pairs.coverage(6) == pytest.approx(0.96875)
    assert pairs.coverage(1) == 0


@pytest.mark.parametrize(
    ("ratios", "fails", "word"),
    [
        ([1.06, 1.07, 1.08, 1.06, 1.09, 1.01], True, "FAILED"),
        ([1.06, 1.07, 1.08, 1.06, 1.09, 0.99], False, "not surely"),
        ([1.04, 1.03, 1.04, 1.04, 1.30, 1.01], False, "Passed: the median is not above"),
        ([0.90, 0.90, 0.95, 0.97, 0.80, 0.90], False, "Passed: the median is not above"),
    ],
)
def test_it_fails_above_the_must_only_where_the_whole_interval_is_above_one(
    ratios: Sequence[float], fails: bool, word: str
) -> None:
    found = comparison(*ratios)
    assert found.fails is fails
    assert word in pairs.table(found).splitlines()[-1]


def test_the_table_shows_every_pair_and_says_which_interval_it_is() -> None:
    lines = pairs.table(comparison(1.2, 0.9, 1.0, 1.1, 1.3, 1.04)).splitlines()
    assert lines[3].split() == ["2", "A", "100.0", "90.0", "0.900"]
    assert "median 1.070, interval 0.900 to 1.300 (lowest and highest of 6 pairs: 97% coverage" in lines[8]


def test_comparisons_are_kept_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    for found in (comparison(1.0), comparison(2.0)):
        pairs.keep(found, path)
    kept = [msgspec.json.decode(line, type=Comparison) for line in path.read_bytes().splitlines()]
    assert kept == [comparison(1.0), comparison(2.0)]


# Which commits


def test_the_newest_commit_and_the_one_before_it_are_compared_where_none_is_named(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", {"file": "0"}, {"file": "1"}, {"file": "2"})

    def asked(*names: str) -> list[str]:
        return [commit.subject for commit in compare.commits(root, names).values()]

    assert asked() == ["Number 1", "Number 2"]
    assert asked("HEAD~2") == ["Number 0", "Number 2"]
    assert asked("HEAD", "HEAD~2") == ["Number 2", "Number 0"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a", "b", "c"], "usage: make bench-compare"),
        (["--six"], "usage: make bench-compare"),
        (["nonsense"], "git finds no commit 'nonsense'"),
        (["HEAD", "HEAD..HEAD"], "git finds no commit 'HEAD..HEAD'"),
        ([], "git finds no commit 'HEAD^'"),
    ],
)
def test_what_cannot_be_compared_is_said(
    names: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = repository(tmp_path / "r", {"file": "0"})
    assert compare.main(names, root=root) == 2
    assert said in capsys.readouterr().err


def test_a_folder_without_commits_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(CannotCompare, match="git finds no commit 'HEAD'"):
        compare.commits(tmp_path, ["HEAD"])


# Turns


@needs_two_cores
def test_a_commit_that_cannot_be_measured_is_named_with_the_reason(
    tmp_path: Path, temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = {"bench/__init__.py": "raise ImportError('no bench here')", "requirements.lock": "other"}
    root = repository(tmp_path / "r", broken, {"requirements.lock": "own"})
    assert compare.main([], root=root, load=SHORT) == 2
    said = capsys.readouterr().err
    assert "requirements.lock of A is not that of this .venv: A runs on libraries other than its own." in said
    assert "requirements.lock of B" not in said
    assert "A could not be measured: its bench ended without a result." in said
    assert "no bench here" in said
    assert not list(temporary.iterdir())


@needs_two_cores
def test_the_server_of_a_turn_is_that_of_its_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "A"
    unpack(compare.ROOT, find(compare.ROOT, "HEAD"), checkout)
    (checkout / "bench" / "server.py").write_text('print(\'{"port": "of another"}\')\n')
    other = begun("A", checkout, SHORT.tables, monotonic() + SHORT.most)
    with pytest.raises(CannotCompare, match="of another"), other as side:
        side.play(SHORT.warm)


def test_a_turn_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path, up: int) -> None:
    checkout = tmp_path / "A"
    (checkout / "bench").mkdir(parents=True)
    (checkout / "bench" / "__init__.py").write_text(STUCK)
    with begun("A", checkout, SHORT.tables, until=monotonic()) as side:
        numbers = told_in(up)
        with pytest.raises(CannotCompare, match="A could not be measured: it took too long and was ended"):
            side.play(SHORT.warm)
        assert all(lives(number) for number in numbers)
    assert len(numbers) == 2
    assert not any(lives(number) for number in numbers)


@pytest.mark.waits(times=200)
def test_a_signal_in_the_moment_of_starting_leaves_no_process_behind(
    tmp_path: Path, up: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, started = tmp_path / "A", list[int]()
    (checkout / "bench").mkdir(parents=True)
    (checkout / "bench" / "__init__.py").write_text(STUCK)

    class Interrupted(subprocess.Popen[str]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            started.append(self.pid)
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with pytest.raises(SystemExit), begun("A", checkout, SHORT.tables, monotonic() + SHORT.most):
            pytest.fail("it has heard nothing")
    finally:
        signal.signal(signal.SIGTERM, before)
    assert started
    assert not any(lives(number) for number in started)


@pytest.mark.waits(times=200)
@needs_two_cores
@pytest.mark.parametrize("number", ENDING)
def test_who_stops_it_leaves_nothing_behind(number: signal.Signals, tmp_path: Path, temporary: Path, up: int) -> None:
    root = repository(tmp_path / "r", {"bench/__init__.py": STUCK})
    ask = "import sys, pathlib; from bench import compare; compare.end_by_signals(); "
    ask += f"sys.exit(compare.main(['HEAD', 'HEAD'], root=pathlib.Path({str(root)!r})))"
    process = subprocess.Popen(
        [sys.executable, "-c", ask],
        cwd=compare.ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        numbers = told_in(up)
        assert list(temporary.iterdir())
        assert all(lives(number) for number in numbers)
    finally:
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number
    assert said.endswith("Stopped.\n")
    assert not any(lives(number) for number in numbers)
    assert not list(temporary.iterdir())


@pytest.mark.long("bench")
@needs_two_cores
def test_the_newest_commit_is_measured_against_itself(
    tmp_path: Path, temporary: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "pairs.jsonl"
    assert compare.main(["HEAD", "HEAD", "--keep"], load=SHORT, pairs=1, kept=kept) in (0, 1)
    told = capsys.readouterr()
    assert "pair 1 of 1" in told.err
    assert "lowest and highest of 1 pair: 0% coverage" in told.out
    found = msgspec.json.decode(kept.read_bytes(), type=Comparison)
    assert found.a == found.b
    assert len(found.a) == 12
    (pair,) = found.pairs
    assert pair.first == "A"
    assert pair.a.intents > 1
    assert pair.b.intents > 1
    assert 0.1 < pair.ratio < 10
    assert not list(temporary.iterdir())
