"""Servers that are restarted under play, and their start on many stored matches."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import MatchId, TableId
from server.lobby.matches.sleeping_matches import NEVER, RESTING
from server.lobby.table.table_record import TABLES, TableRecord
from server.store.port import StoredRecord
from server.store.sqlite.store import SqliteStore
from tests.support.clients.wire import Client, running, two_players
from tests.support.doubles.stored import records_of
from tests.support.faults.kills.killing import DUEL, ServerProcess
from tests.support.faults.kills.restarting import restart_again_and_again
from tests.support.runs.longrun import LongRun
from tests.support.runs.patience import PATIENCE

STORED = 100


async def test_two_restarts_at_three_tables(tmp_path: Path) -> None:
    happened = await restart_again_and_again(tmp_path, tables=3, restarts=2, seed=1)
    assert happened["acknowledged"] + happened["answers"] >= 5


@pytest.mark.long("restarts")
async def test_two_hundred_restarts_at_a_hundred_tables(tmp_path: Path) -> None:
    run = LongRun("restarts", batches=10)
    for seed in run.left():
        run.keep(seed, await restart_again_and_again(tmp_path / str(seed), tables=100, restarts=20, seed=1000 * seed))
    assert run.totals()["restarts"] >= 200


async def stored_matches(data: Path, *, resting: bool) -> None:
    """Store copies of a live match, which can be read but not folded under their names; `resting`: as a server leaves
    them that has ended in order."""
    data.mkdir()
    async with running(data) as run:
        await two_players(run)
    store = SqliteStore(data / "eschaton.db")
    try:
        [(id, record)] = (await records_of(store, TABLES)).items()
        table = msgspec.msgpack.decode(record, type=TableRecord)
        [step] = await store.read(MatchId(id), 0, 1)
        copies = [replace(table, id=TableId(f"{n:012x}"), code=f"C{n:05}") for n in range(1, STORED)]
        await store.put_records([StoredRecord(TABLES, copy.id, msgspec.msgpack.encode(copy)) for copy in copies])
        for copy in copies:
            fence = await store.open_match(copy.match)
            await store.append(copy.match, fence, step.cause, 0, step.step)
        if resting:
            await store.put_due(RESTING, {str(copy.id): NEVER for copy in copies})
    finally:
        await store.close()


@pytest.mark.parametrize("resting", [True, False], ids=["after-an-end-in-order", "after-a-kill"])
async def test_a_start_listens_before_any_match_is_read(tmp_path: Path, *, resting: bool) -> None:
    data, log = tmp_path / "data", tmp_path / "server.log"
    await stored_matches(data, resting=resting)
    server = ServerProcess(DUEL, data, log)
    await server.start()
    try:
        client = Client(server.port)
        async with asyncio.timeout(PATIENCE):
            await client.connect()
            await client.pinged()
        await client.close()
        assert await server.stop(PATIENCE) == 0
    finally:
        await server.kill()
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    read = [place for place, event in enumerate(events) if event in ("resumed", "parked")]
    assert not [place for place in read if place < events.index("listening")]
    assert len(read) == 1 if resting else len(read) >= 1
