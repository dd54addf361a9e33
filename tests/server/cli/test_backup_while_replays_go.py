"""A backup of a server that removes and writes replays meanwhile holds all that its database names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cli.data import backup
from server.store.sqlite.reader import SqliteReader
from tests.support.servers.data_folder import findings, kept

pytestmark = pytest.mark.waits


@pytest.fixture
def host(tmp_path: Path) -> Path:
    return asyncio.run(kept(tmp_path / "host"))


def restored(host: Path, tmp_path: Path) -> Path:
    """Return a data folder made of a backup that is made now."""
    backup.back_up(host, tmp_path / "backup", keys=True)
    backup.restore(tmp_path / "backup", tmp_path / "restored")
    return tmp_path / "restored"


def test_replays_that_go_or_come_while_the_database_is_copied_are_there(
    host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, copied = host / "replays", SqliteReader.copy_to
    [replay] = folder.iterdir()
    whole = replay.read_bytes()
    (folder / "renamed.replay").write_bytes(b"with a name")

    def copy_to(reader: SqliteReader, path: Path) -> None:
        (folder / "fresh.replay").write_bytes(b"named just now")
        (folder / "renamed.replay").write_bytes(b"without it")
        copied(reader, path)
        replay.unlink()

    monkeypatch.setattr(SqliteReader, "copy_to", copy_to)
    data = restored(host, tmp_path)
    assert (data / "replays" / replay.name).read_bytes() == whole
    assert (data / "replays" / "fresh.replay").read_bytes() == b"named just now"
    assert (data / "replays" / "renamed.replay").read_bytes() == b"without it"
    assert [found for found in asyncio.run(findings(data)) if not found.harmless] == []


def test_a_replay_that_goes_before_it_is_copied_is_left_out(
    host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = backup._others

    def with_one_that_has_gone(data: Path, *, keys: bool) -> Iterator[str]:
        yield "replays/gone.replay"
        yield from others(data, keys=keys)

    monkeypatch.setattr(backup, "_others", with_one_that_has_gone)
    assert [path.name for path in (restored(host, tmp_path) / "replays").iterdir()] == [
        path.name for path in (host / "replays").iterdir()
    ]
