"""Backups by timer and the restore drill: `backup --keep` and `drill`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path

import pytest

from server.cli.data.backup_series import LEFTOVER_SECONDS, NAMED, series, thin
from server.cli.main import main
from tests.support.servers.data_folder import kept

pytestmark = pytest.mark.waits


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's data folder that is only read."""
    return asyncio.run(kept(tmp_path_factory.mktemp("host")))


def command(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, list[dict[str, object]], str]:
    """Run the program as a person would; return its status, the lines of its output, and its errors."""
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    return status, [json.loads(line) for line in said.out.splitlines()], said.err


def aged(folder: Path, name: str) -> None:
    """Rename the newest backup as if it had been made then."""
    series(folder)[-1].rename(folder / name)


def test_each_backup_is_named_for_its_time_and_the_newest_stay(
    tmp_path: Path, host: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backups = tmp_path / "backups"
    for name in ("2026-01-01T04-17-00Z", "2026-01-02T04-17-00Z", "2026-01-03T04-17-00Z"):
        assert command(capsys, "backup", backups, "--keep", "2", "--data", host)[0] == 0
        aged(backups, name)
    (backups / "mine").mkdir()
    status, said, _ = command(capsys, "backup", backups, "--keep", "2", "--data", host)
    assert status == 0
    assert said[-1] == {"event": "thinned", "kept": 2, "removed": ["2026-01-02T04-17-00Z"]}
    names = sorted(path.name for path in backups.iterdir())
    assert names[0] == "2026-01-03T04-17-00Z"
    assert NAMED.fullmatch(names[1])
    assert names[2:] == ["mine"]
    assert backups.stat().st_mode & 0o077 == 0


def test_the_fresh_backup_stays_when_the_clock_was_set_back(tmp_path: Path) -> None:
    names = [f"2030-01-0{day}T00-00-00Z" for day in (1, 2, 3)]
    fresh = tmp_path / "2026-01-01T00-00-00Z"
    for path in [*(tmp_path / name for name in names), fresh]:
        path.mkdir()
        (path / "manifest.json").write_text("{}")
    assert thin(tmp_path, 2, fresh) == [tmp_path / names[0], tmp_path / names[1]]
    assert series(tmp_path) == [fresh, tmp_path / names[2]]


def test_what_killed_commands_left_goes_after_a_day(
    tmp_path: Path, host: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, young, mine = (tmp_path / name for name in (".drill-abc", ".2026-01-02T04-17-00Z.17.part", ".drilled"))
    half_removed = tmp_path / "2026-01-01T04-17-00Z"
    for path in (old, young, mine, half_removed):
        path.mkdir()
    (half_removed / "eschaton.db").write_bytes(bytes(100))
    (tmp_path / ".drill-gone").symlink_to(tmp_path / "gone")
    for path in (old, mine, half_removed):
        past = path.stat().st_mtime - LEFTOVER_SECONDS - 60
        os.utime(path, (past, past))
    assert command(capsys, "backup", tmp_path, "--keep", "2", "--data", host)[0] == 0
    assert [path.exists() for path in (old, young, mine, half_removed)] == [False, True, True, False]


def test_the_drill_checks_the_newest_backup_and_leaves_nothing(
    tmp_path: Path, host: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backups = tmp_path / "backups"
    assert command(capsys, "backup", backups, "--keep", "3", "--data", host)[0] == 0
    before = sorted(backups.rglob("*"))
    status, said, _ = command(capsys, "drill", backups, "--data", host)
    assert status == 0
    checked, drilled = said[-2:]
    assert checked["event"] == "checked"
    assert checked["damaged"] == 0
    assert (drilled["event"], drilled["outcome"], drilled["matches"]) == ("drilled", "good", 1)
    assert drilled["keys"] is True
    assert sorted(backups.rglob("*")) == before
    assert command(capsys, "drill", before[0], "--data", tmp_path / "elsewhere")[1][-1]["keys"] is False
    assert [path.name for path in tmp_path.iterdir()] == ["backups"]


def test_the_drill_says_what_is_damaged(tmp_path: Path, host: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, backups = Path(shutil.copytree(host, tmp_path / "data")), tmp_path / "backups"
    replay = next((data / "replays").iterdir())
    whole = replay.read_bytes()
    replay.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    assert command(capsys, "backup", backups, "--keep", "3", "--data", data)[0] == 0
    status, said, _ = command(capsys, "drill", backups, "--data", data)
    assert (status, said[-1]["outcome"]) == (1, "damaged")
    assert any(replay.name in str(line.get("in")) for line in said)
    backup = series(backups)[-1]
    (backup / "eschaton.db").write_bytes(b"")
    status, said, told = command(capsys, "drill", backups, "--data", data)
    assert (status, said) == (1, [])
    assert "eschaton.db has changed" in told
    assert list(backups.iterdir()) == [backup]


def test_a_folder_without_backups_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, told = command(capsys, "drill", tmp_path)
    assert status == 1
    assert "There is no backup" in told
    assert "cannot be read" in command(capsys, "drill", tmp_path / "nowhere")[2]
