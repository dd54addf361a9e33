"""Matches that are on, over the wire: how they stand, friends first, then the busiest, and none that is not for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.text import text
from protocol.wire import from_client as say
from protocol.wire.on_now import GetOnNow, OnNow, OnNowCounter, OnNowRow
from server.lobby.finding.on_now import KEPT_SECONDS
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players

pytestmark = pytest.mark.waits


async def on_now(run: Running, client: Client) -> tuple[OnNowRow, ...]:
    run.clock.advance(KEPT_SECONDS)
    await client.say(GetOnNow())
    return (await client.hear(OnNow)).rows


async def watched(run: Running, player: Client, name: str) -> Client:
    """Return a spectator at the table of a player."""
    assert player.talk.table is not None
    client = await run.client(name)
    await client.say(say.WatchTable(table=player.talk.table.id))
    await client.arrived()
    return client


async def befriended(one: Client, other: Client) -> None:
    for client, name in ((one, "hares"), (other, "geese")):
        await client.say(say.KeepName(password=f"three {name} in a boat"))
        await client.pinged()
    await one.say(say.Relate(what="ask", who=other.talk.you))
    await one.pinged()
    await other.say(say.Relate(what="accept", who=one.talk.you))
    await other.pinged()


async def test_a_match_is_told_with_its_seats_scores_round_and_spectators(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        [row] = await on_now(run, eve)
        assert [(seat.name, seat.bot) for seat in row.seats] == [("Ann", False), ("Ben", False)]
        assert row.counters == (OnNowCounter(text("duel.turn"), 1, 6),)
        assert row.watching == 0
        await ann.intend("rest")
        await watched(run, ann, "Cid")
        [row] = await on_now(run, eve)
        assert (row.counters[0].value, row.watching) == (2, 1)
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=row.table))
        await eve.arrived()
        assert await on_now(run, ben) == ()


async def test_the_busiest_comes_first_but_for_those_where_friends_are(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        quiet, _ = await two_players(run)
        loud, _ = await two_players(run)
        await watched(run, loud, "Cid")
        eve, dan = await run.client("Eve"), await watched(run, quiet, "Dan")
        await watched(run, loud, "Fay")
        assert loud.talk.table is not None
        assert quiet.talk.table is not None
        busy, other = loud.talk.table.id, quiet.talk.table.id
        assert [row.table for row in await on_now(run, eve)] == [busy, other]
        await befriended(eve, dan)
        rows = await on_now(run, eve)
        assert [(row.table, row.friends) for row in rows] == [(other, ("Dan",)), (busy, ())]
        await dan.say(say.ShowPresence(shown=False))
        await dan.pinged()
        assert [(row.table, row.friends) for row in await on_now(run, eve)] == [(busy, ()), (other, ())]


async def test_private_matches_and_those_that_are_over_are_not_told(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await two_players(run, private=True)
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        assert [row.table for row in await on_now(run, eve)] == [ann.talk.table.id]
        await rest_to_the_end(ann, ben)
        assert await on_now(run, eve) == ()


async def test_a_friend_at_a_private_match_is_told_to_who_may_come_there(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, eve, fay = await run.client("Ann"), await run.client("Eve"), await run.client("Fay")
        code = await ann.create("two", private=True)
        await eve.say(say.WatchTable(code=code))
        await eve.arrived()
        await eve.say(say.LeaveTable())
        await befriended(eve, ann)
        await ann.say(say.AddBot(kind="random"))
        await ann.say(say.StartMatch())
        await ann.my_turn()
        [row] = await on_now(run, eve)
        assert (row.friends, [seat.bot for seat in row.seats]) == (("Ann",), [False, True])
        assert await on_now(run, fay) == ()
