"""A match by mail, over days: each comes when they have time, alone, over restarts; nobody is hurried or replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from protocol.wire.results import Results
from protocol.wire.table_lists import MyGames, TableRow
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, running, two_players

pytestmark = pytest.mark.waits

DAY = 24 * 3600


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def my_games(client: Client) -> tuple[TableRow, ...]:
    await client.pinged()
    client.heard.clear()
    await client.say(say.FindTables())
    return (await client.hear(MyGames)).rows


async def test_two_play_to_the_end_without_ever_being_there_at_the_same_time(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, mail=True)
        await ann.close()
        await ben.close()
        table, clock = seen(ann).id, run.clock
    # six turns, one each two days, each on a server that was started anew
    for turn in range(6):
        clock.advance(2 * DAY)
        async with running(tmp_path, clock=clock) as run:
            player, other = ((ann, ben), (ben, ann))[turn % 2]
            for client in (player, other):
                client.port = run.port
                client.talk.table = client.talk.scene = None
            run.clients += [ann, ben]
            await player.connect()
            if turn == 0:
                # another table of Ann's own, a newer one, which waits for nobody
                await player.create("three")
                await player.connect()
            rows = await my_games(player)
            assert (rows[0].id, rows[0].turn, rows[0].mail) == (table, True, True)
            assert not [row for row in rows[1:] if row.turn]
            await player.say(say.OpenTable(table=table))
            await player.my_turn()
            assert seen(player).vote is None
            assert all(mine.left < 0 for mine in seen(player).clocks)
            assert await player.intend("rest") == ""
            if turn < 5:
                # a new round of dice is opened by a step of its own
                await until(lambda: run.server.lobby.table(table).waiting)
                rows = await my_games(player)
                assert [row.turn for row in rows if row.id == table] == [False]
                assert [row.waits for row in rows if row.id == table] == [(("Ben",), ("Ann",))[turn % 2]]
            else:
                await ben.until(lambda: seen(ben).state == "finished")
                await player.say(say.GetResults())
                assert [row.table for row in (await player.hear(Results)).results] == [table]
            await player.close()


async def test_the_owner_of_a_table_by_mail_is_so_for_a_day_after_they_left(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, mail=True)
        await ann.close()
        await ben.until(lambda: not seen(ben).seats[0].connected)
        for _ in range(DAY // 3600 - 1):
            run.clock.advance(3600)
            await ben.pinged()
        assert seen(ben).owner == ann.talk.you
        run.clock.advance(3601)
        await ben.until(lambda: seen(ben).owner == ben.talk.you)
