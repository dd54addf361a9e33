"""A match that is over leaves the store, its replay safe on the disk before; it can be opened and watched as before."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from protocol.fairness.replay import read
from protocol.ids import MatchId, match_of
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, Problem
from server.match.checking import check
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import run
from tests.support.clients.wire import Client, Running, running, two_players, until_put_away
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stored import records_of
from tests.support.faults.kills.archive_child import PLACES
from tests.support.systems.duel import Duel

CHILD = "tests.support.faults.kills.archive_child"


async def play_out(run: Running) -> tuple[Client, Client, say.Intent]:
    """Ann and Ben rest all their turns; with the last act."""
    ann, ben = await two_players(run)
    acts: list[say.Intent] = []
    for turn in range(6):
        player = (ann, ben)[turn % 2]
        await player.my_turn()
        assert player.prompt is not None
        acts.append(say.Intent(id=bytes([turn]) * 16, prompt=player.prompt.id, choice="rest"))
        await player.say(acts[-1])
        assert isinstance(await player.answer(acts[-1].id), Ack)
    await ann.until(lambda: ann.state == "finished")
    return ann, ben, acts[-1]


async def test_steps_leave_the_store_and_nobody_notices(tmp_path: Path) -> None:
    store = MemoryStore()
    async with running(tmp_path, store=store) as run:
        ann, ben, last = await play_out(run)
        await until_put_away(store)
        # who never heard of his last act asks again
        await ben.say(last)
        assert isinstance(await ben.answer(last.id), Ack)
        assert await ann.intend("rest") == "match/over"
        assert ann.talk.table is not None
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.until(lambda: eve.talk.scene is not None and "result" in eve.scene.nodes)
        assert eve.scene.public.hash == ann.scene.public.hash
        assert [line for line in run.lines if line["level"] in ("warning", "error")] == []


async def test_a_match_that_was_put_away_is_opened_again(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, last = await play_out(run)
        shown = ann.scene.public.hash
        assert ann.talk.table is not None
        table = ann.talk.table.id
    async with running(tmp_path) as run:
        run.clients += [ben]
        store = run.server.store
        assert isinstance(store, SqliteStore)
        await until_put_away(store)
        ben.port = run.port
        await ben.connect()
        await ben.say(say.OpenTable(table=table))
        await ben.until(lambda: ben.talk.scene is not None and "result" in ben.scene.nodes)
        await ben.say(last)
        assert isinstance(await ben.answer(last.id), Ack)
        assert ben.scene.public.hash == shown
        assert await run.server.store.version(match_of(table)) == 0


async def test_a_replay_that_does_not_hold_the_steps_keeps_them_in_the_store(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _, _ = await play_out(run)
        assert ann.talk.table is not None
        table = ann.talk.table.id
        store = run.server.store
        assert isinstance(store, SqliteStore)
        await until_put_away(store)
    [file] = (tmp_path / "replays").iterdir()
    log = read(file.read_bytes(), Limits()).log
    store = SqliteStore(tmp_path / "eschaton.db")
    fence = await store.open_match(match_of(table))
    for version, step in enumerate((*log, b"one more")):
        await store.append(match_of(table), fence, version.to_bytes(16), version, step)
    await store.close()
    async with running(tmp_path) as run:
        await run.logged("not-archived")
        assert await run.server.store.version(match_of(table)) == len(log) + 1
    file.unlink()
    store = SqliteStore(tmp_path / "eschaton.db")
    await store.delete_match(match_of(table))
    await store.close()
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table))
        assert (await eve.hear(Problem)).code == "match/unshown"


@pytest.mark.parametrize("place", PLACES)
async def test_a_server_killed_while_it_puts_a_match_away_loses_nothing(tmp_path: Path, place: str) -> None:
    assert await run(tmp_path, CHILD, str(tmp_path), place) == -signal.SIGKILL
    store = SqliteStore(tmp_path / "eschaton.db")
    [table] = await records_of(store, "table")
    steps = [stored.step for stored in await store.read(MatchId(table))]
    await store.close()
    file = tmp_path / "replays" / f"{table}.replay"
    if not steps:
        check(read(file.read_bytes(), Limits()), Duel())
    assert await run(tmp_path, CHILD, str(tmp_path)) == 0
    store = SqliteStore(tmp_path / "eschaton.db")
    assert await store.matches() == []
    await store.close()
    replay = read(file.read_bytes(), Limits())
    check(replay, Duel())
    assert not steps or list(replay.log) == steps
