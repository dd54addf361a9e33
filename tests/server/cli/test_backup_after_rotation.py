"""Backups of a host whose signing key was rotated: what the former key signed is checked as before."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from server.cli.data.keys import rotate
from server.cli.main import main
from server.runtime.former_keys import FORMER
from tests.support.servers.data_folder import kept

pytestmark = pytest.mark.waits


def drilled(folder: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> tuple[object, object]:
    """Return the outcome of a drill, and whether it had the keys."""
    capsys.readouterr()
    main(["drill", str(folder), "--data", str(data)])
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    return told["outcome"], told["keys"]


def test_former_keys_are_in_a_backup_with_keys_and_are_lent_to_one_without_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = asyncio.run(kept(tmp_path / "host"))
    rotate(host, 1_800_000_000)
    backup = tmp_path / "backup"
    assert main(["backup", str(backup), "--with-keys", "--data", str(host)]) == 0
    assert (backup / FORMER).read_bytes() == (host / FORMER).read_bytes()
    assert drilled(backup, tmp_path / "elsewhere", capsys) == ("good", True)
    # as a program of before has made it
    (backup / FORMER).unlink()
    manifest = json.loads((backup / "manifest.json").read_text())
    del manifest["files"][FORMER]
    (backup / "manifest.json").write_text(json.dumps(manifest))
    assert drilled(backup, tmp_path / "elsewhere", capsys) == ("damaged", True)
    assert drilled(backup, host, capsys) == ("good", True)
