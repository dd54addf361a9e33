"""Finished tables: records alone where nobody looks at them, and found again as before by all who do."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.wire import from_client as say
from server.lobby.directory import MemoryTableDirectory
from server.lobby.lobby_tables import RECORDS_AT_ONCE, LobbyTables
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import FINISHED, TableRecord
from tests.support.clients.programs import until
from tests.support.clients.wire import Running, rest_to_the_end, running, two_players, until_put_away


async def played(run: Running) -> tuple[str, str]:
    """Play a match that all then leave; Ann's token, and the code of the table."""
    ann, ben = await two_players(run)
    [live] = run.server.lobby.tables()
    await rest_to_the_end(ann, ben)
    await until_put_away(run.server.store)
    for player in (ann, ben):
        await player.close()
    await until(lambda: not run.server.lobby.sessions())
    assert ann.talk.token is not None
    return ann.talk.token, live.record.code


def in_memory(run: Running) -> list[LiveTable]:
    gc.collect()
    return list(run.server.lobby.in_memory())


async def test_a_finished_table_is_one_and_the_same_for_all_who_look_at_it_and_then_gone(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        token, code = await played(run)
        await until(lambda: not in_memory(run), 10)
        ann, eve = await run.client("Ann", token), await run.client("Eve")
        await ann.until(lambda: ann.talk.lobby is not None)
        await eve.say(say.ListTables())
        await eve.until(lambda: eve.talk.lobby is not None)
        assert ann.talk.lobby is not None
        assert eve.talk.lobby is not None
        [mine], [row] = ann.talk.lobby.tables, eve.talk.lobby.tables
        assert (mine.id, mine.state, mine.mine, row.state, row.mine) == (row.id, "finished", True, "finished", False)
        assert not in_memory(run)
        await eve.say(say.WatchTable(code=code))
        await ann.say(say.OpenTable(table=TableId(row.id)))
        for client in (ann, eve):
            await client.arrived()
        [live] = in_memory(run)
        assert len(live.sessions) == 2
        assert live.host is not None
        assert "result" in ann.scene.nodes
        for client in (ann, eve):
            await client.close()
        del live
        await until(lambda: not in_memory(run), 10)


async def test_finished_tables_are_counted_whether_they_are_in_memory_or_not(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await played(run)
        await until(lambda: not in_memory(run), 10)
        shown = run.server.metrics.exposition().decode()
        assert 'eschaton_tables{state="finished"} 1.0' in shown
        assert 'eschaton_tables{state="live"} 0.0' in shown


async def test_others_run_while_all_records_are_read() -> None:
    tables = LobbyTables(MemoryTableDirectory(lambda _: None), lambda _: pytest.fail("a record is enough"))
    for number in range(RECORDS_AT_ONCE + 1):
        id = TableId(f"t{number}")
        tables.add(TableRecord(id, f"C{number}", "Duel", "duel", "two", "", (), 1, 2, state=FINISHED))
    read: list[TableId] = []
    asyncio.get_running_loop().call_soon(lambda: read.append(TableId("other")))
    read += [record.id async for record in tables.records()][-1:]
    assert read == ["other", f"t{RECORDS_AT_ONCE}"]
