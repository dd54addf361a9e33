"""A rematch over the wire: one opens the next table, the others are told and sit down by one message."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.seating import GetInvitations, Invitation, Rematch
from protocol.wire.table_lists import MyGames
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players

pytestmark = pytest.mark.waits


async def finished(run: Running, **changes: Any) -> tuple[Client, Client, TableId]:
    """Return Ann and Ben at a table whose match is over."""
    ann, ben = await two_players(run, **changes)
    for client in (ann, ben):
        await client.say(GetInvitations())
    await rest_to_the_end(ann, ben)
    assert ann.talk.table is not None
    return ann, ben, ann.talk.table.id


async def at_another(client: Client, before: TableId) -> TableId:
    await client.until(lambda: client.talk.table is not None and client.talk.table.id != before)
    assert client.talk.table is not None
    return client.talk.table.id


async def test_the_next_table_has_the_same_people_and_settings_and_seats_rotated(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, old = await finished(run, seconds=90, rated=False, private=True)
        await ann.say(Rematch())
        table = await at_another(ann, old)
        told = await ben.hear(Invitation)
        assert (told.table, told.by, told.again) == (table, "Ann", True)
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.again)
        await ben.say(Rematch())
        assert await at_another(ben, old) == table
        view = ben.talk.table
        assert view is not None
        assert [seat.name for seat in view.seats] == ["Ben", "Ann"]
        assert (view.seconds, view.rated, view.private, view.owner) == (90, False, True, ann.talk.you)
        await ben.ready()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[0].ready)
        await ann.say(say.StartMatch())
        await ben.my_turn()


async def test_of_two_who_ask_at_once_one_opens_the_table(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, old = await finished(run)
        await asyncio.gather(ann.say(Rematch()), ben.say(Rematch()))
        assert await at_another(ann, old) == await at_another(ben, old)
        assert len(run.server.lobby.unfinished_of(ann.talk.you)) == 1


async def test_only_who_played_asks_when_the_match_is_over(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.say(Rematch())
        assert await ann.problem() == "rematch/not-over"
        await rest_to_the_end(ann, ben)
        assert ann.talk.table is not None
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.arrived()
        await eve.say(Rematch())
        assert await eve.problem() == "match/no-seat"


async def test_who_was_away_finds_the_kept_seat_later_even_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, old = await finished(run, private=True)
        token = ben.talk.token
        await ben.close()
        await ann.say(Rematch())
        table = await at_another(ann, old)
        ann_token = ann.talk.token
    async with running(tmp_path) as run:
        await run.client("Ann", ann_token)
        ben = await run.client("Ben", token)
        await ben.say(GetInvitations())
        assert (await ben.hear(Invitation)).table == table
        await ben.say(say.FindTables())
        [row] = (await ben.hear(MyGames)).rows
        assert (row.id, row.kept, row.mine) == (table, True, False)
        await ben.say(say.JoinTable(table=table))
        await ben.arrived()
        assert ben.talk.table is not None
        assert ben.talk.table.seat == 0


async def test_who_has_blocked_the_other_hears_nothing_of_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, old = await finished(run)
        await ben.say(say.Relate(what="block", who=ann.talk.you))
        await ben.pinged()
        await ann.say(Rematch())
        await at_another(ann, old)
        await ben.say(GetInvitations())
        await ben.pinged()
        assert not [message for message in ben.heard if isinstance(message, Invitation)]
        await ben.say(say.FindTables())
        await ben.pinged()
        assert not [message for message in ben.heard if isinstance(message, MyGames)]


async def test_a_table_that_has_begun_is_followed_by_another(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, old = await finished(run)
        await ann.say(Rematch())
        first = await at_another(ann, old)
        live = run.server.lobby.table(first)
        live.keep(replace(live.record, state="live"))
        await ben.say(Rematch())
        assert await at_another(ben, old) != first
        live.keep(replace(live.record, state="open"))
