"""Replay files that somebody has been at: every change is noticed, nothing crashes, nothing is written anywhere."""

import json
import os
import secrets
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from client.storage.downloads import FileDownload
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import Setup
from protocol.ids import MatchId, TableId
from protocol.wire.from_server import FilePart
from server.content.systems import install
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.match import replays
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile.hostile_files import PATHS
from tests.support.runs.longrun import ROOT, Figures, LongRun
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.duel_state import DuelState

MATCH = MatchId("m1")

pytestmark = pytest.mark.waits

FILES_A_CHILD = 200


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of an honest match."""
    installed = install(Duel(), {"duel.toml": TOML})
    secret = secrets.token_bytes(32)
    steps: list[bytes] = []
    match: Match[DuelState] = Match(Duel(), MATCH, MatchDice(secret, MATCH))
    play = SelfPlay(match, lambda step, _: steps.append(step.data))
    play.begin(Start(MATCH, 3, installed.system.setup(installed.content, Setup("three", ("amber", "birch", "cedar")))))
    play.play({Seat(seat): RandomBot(seat) for seat in range(3)})
    seats = tuple(SeatRecord(name=name) for name in ("Ann", "Ben", "Cyd"))
    table = TableRecord(TableId("m1"), "CODE", "T", "duel", "three", "u1", seats, 0, 0)
    assert match.result is not None
    file = tmp_path_factory.mktemp("good") / "m1.replay"
    file.write_bytes(replays.make(installed, table, secret, steps, match.result, 0, HOST))
    return file


def open_hostile(good: Path, folder: Path, seed: int, first: int, count: int) -> dict[str, float]:
    """So many files in one child, which has an empty folder as home, working folder and place for temporary files."""
    folder.mkdir()
    where = {"HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
    command = (
        sys.executable,
        "-m",
        "tests.support.faults.hostile.hostile_files",
        str(good),
        str(seed),
        str(first),
        str(count),
    )
    escaped = Path("/tmp/escaped")
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env={**os.environ, **where}, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    *missed, last = done.stdout.splitlines()
    assert not missed, missed[:5]
    assert not list(folder.rglob("*")), "something was written"
    assert not escaped.exists(), "something was written"
    figures: dict[str, float] = json.loads(last)
    assert figures["noticed"] == count
    return figures


def test_hostile_files(good: Path, tmp_path: Path) -> None:
    figures = open_hostile(good, tmp_path / "child", 1, 0, 100)
    assert len(figures) > 12


@pytest.mark.parametrize("name", PATHS)
def test_a_download_is_saved_nowhere_else(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "replays"
    path = FileDownload(folder).take(FilePart(name, 0, 1, b"data"))
    assert path is not None
    assert path.parent == folder
    assert path.resolve().parent == folder.resolve()
    assert [found.name for found in tmp_path.iterdir()] == ["replays"]
    assert len(list(folder.iterdir())) == 1


def open_batch(good: Path, folder: Path, batch: int) -> Figures:
    return open_hostile(good, folder / str(batch), 2, FILES_A_CHILD * batch, FILES_A_CHILD)


@pytest.mark.long("hostile-files")
def test_long_hostile_files(good: Path, tmp_path: Path) -> None:
    total = LongRun("hostile-files", batches=50).complete(partial(open_batch, good, tmp_path))
    assert total["files"] >= 10_000
