"""Matches whose replay is being written while somebody comes back to them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol.wire import from_client as say
from server.match.playback_process import playback
from tests.support.clients.programs import until
from tests.support.clients.wire import running, two_players, until_put_away
from tests.support.doubles.memory_store import MemoryStore


async def test_a_match_that_is_read_again_meanwhile_has_no_step_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, gate, store = asyncio.Event(), asyncio.Event(), MemoryStore()

    async def slowly(*arguments: Any) -> Any:
        reached.set()
        await gate.wait()
        return await playback(*arguments)

    monkeypatch.setattr("server.lobby.matches.match_lifecycle.playback", slowly)
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        [live] = run.server.lobby.tables()
        await ann.say(say.CallVote(what="end"))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.vote is not None)
        await ben.say(say.CastVote(yes=True))
        await reached.wait()
        steps = await store.version(live.record.match)
        for player in (ann, ben):
            await player.close()
        await until(lambda: live.host is None)
        await ann.connect()
        await until(lambda: live.host is not None and live.sessions)
        for _ in range(10):
            await ann.pinged()
        assert live.host is not None
        assert live.host.match.version == await store.version(live.record.match) == steps
        gate.set()
        await ann.until(lambda: ann.state == "finished")
        await until_put_away(store)
