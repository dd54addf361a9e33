"""A match that ends while its replay cannot be written keeps its result until it can."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from client.fairness import verify
from server.match import replays
from tests.support.clients.wire import running, two_players


async def test_the_replay_is_written_as_soon_as_the_disk_takes_it(tmp_path: Path) -> None:
    folder, away = tmp_path / "replays", tmp_path / "away"
    async with running(tmp_path) as run:
        players = await two_players(run)
        folder.rename(away)
        for turn in range(6):
            await players[turn % 2].my_turn()
            assert await players[turn % 2].intend("rest") == ""
        await run.logged("store")
        away.rename(folder)
        run.clock.advance(1)
        for player in players:
            await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type
            assert player.talk.table is not None
            assert player.talk.table.result is not None
            assert player.talk.table.replay
        assert not [line for line in run.lines if line["event"] == "parked"]
    [file] = folder.iterdir()
    assert verify.check(file.read_bytes())


def test_a_replay_that_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t1.replay"
    replays.save(path, b"before")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replays.save(path, b"after")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("t1.replay", b"before")]
