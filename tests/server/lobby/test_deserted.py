"""Matches that bots alone are left in: they rest at once and end after ten minutes. Real sockets, a jumping clock."""

from __future__ import annotations

import asyncio
from pathlib import Path

from protocol.limits import Bucket, Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from server.lobby.table.live_table import LiveTable
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, until_put_away
from tests.support.doubles.clock import JumpingClock
from tests.support.servers.logs import table_notes
from tests.support.servers.seats import call, cast, seen, three_players
from tests.support.systems.duel import Duel

TEN_MINUTES = Limits().deserted_seconds
PATIENT = Limits(ping_seconds=1e6, frames=Bucket(1000, 1000), handshakes_per_second=1000, sockets_per_address=1000)


async def with_bots(run: Running, *, private: bool = True) -> Client:
    """Ann among five bots, in a match that lasts; she is to act."""
    ann = await run.client("Ann")
    await ann.create("long", private=private)
    await ann.change(reaction_seconds=0, seconds=3600)
    for _ in range(5):
        await ann.say(say.AddBot(kind="random"))
    await ann.say(say.StartMatch())
    await ann.my_turn()
    return ann


def table(run: Running) -> LiveTable:
    [live] = run.server.lobby.tables()
    return live


def version(run: Running) -> int:
    host = table(run).host
    assert host is not None
    return host.match.version


async def several_turns(client: Client) -> None:
    """Time for the loop to do what it has to do."""
    for _ in range(30):
        await client.pinged()


async def rests(run: Running, client: Client) -> bool:
    """Wait until nothing more is played, what was under way being done; whether the match is on all the same."""
    before = -1
    async with asyncio.timeout(10):
        while version(run) != before:
            before = version(run)
            await several_turns(client)
    return table(run).record.state == "live"


async def watch(run: Running, client: Client) -> None:
    await client.say(say.WatchTable(table=table(run).record.id))
    await client.arrived()


async def leave(client: Client) -> None:
    await client.say(say.LeaveTable())
    assert await client.left() == "left"


async def stood_in_for(run: Running, voter: Client, seat: int) -> None:
    """Have a vote put a bot into the seat of one who is away."""
    await voter.until(lambda: not seen(voter).seats[seat].connected)
    run.clock.advance(Limits().grace_seconds)
    await voter.until(lambda: seen(voter).vote is not None)
    await cast(voter, yes=True)
    await voter.pinged()
    run.clock.advance(Limits().vote_seconds)
    await voter.until(lambda: bool(seen(voter).seats[seat].bot))


async def test_a_match_that_only_bots_are_left_in_rests_until_somebody_watches(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, eve = await with_bots(run, private=False), await run.client("Eve")
        await leave(ann)
        assert await rests(run, eve)
        rested_at = version(run)
        await watch(run, eve)
        await until(lambda: version(run) > rested_at + 20)
        await leave(eve)
        assert await rests(run, ann)
        assert table(run).record.state == "live"


async def test_it_ends_ten_minutes_after_the_last_has_gone_and_says_why(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, eve = await with_bots(run, private=False), await run.client("Eve")
        await leave(ann)
        await until(lambda: table(run).activity.deserted_since is not None)
        run.clock.advance(TEN_MINUTES - 1)
        await watch(run, eve)
        await leave(eve)
        await until(lambda: table(run).activity.deserted_since == run.clock.now())
        run.clock.advance(TEN_MINUTES - 1)
        await several_turns(ann)
        assert table(run).record.state == "live"
        run.clock.advance(1)
        await until_put_away(run.server.store)
        result = table(run).record.result
        assert result is not None
        assert result.k == "result.deserted"
        assert table(run).record.replay
        assert (run.server.lobby.tally.claim.bots, run.server.lobby.tally.claim.ended) == (1, 0)
        eve.heard.clear()
        await eve.say(say.OpenTable(table=table(run).record.id))
        told = await eve.hear(TableView, lambda view: view.state == "finished")
        assert told.result is not None
        assert "only bots" in eve.talk.format(told.result)
    assert ("deserted", -1, "") in await table_notes(tmp_path, Duel())


async def test_a_match_that_rested_rests_after_a_restart_and_ends(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with running(tmp_path, clock=clock, limits=PATIENT) as run:
        await leave(await with_bots(run))
        await until(lambda: table(run).activity.deserted_since is not None)
    store = SqliteStore(tmp_path / "eschaton.db")
    [match] = await store.matches()
    rested_at = await store.version(match)
    await store.close()
    async with running(tmp_path, clock=clock, limits=PATIENT) as run:
        await several_turns(await run.client("Eve"))
        assert version(run) == rested_at
        await until(lambda: table(run).activity.deserted_since is not None)
        clock.advance(TEN_MINUTES)
        await until_put_away(run.server.store)


async def test_a_person_who_takes_a_bots_seat_brings_it_back_to_life(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, eve = await with_bots(run, private=False), await run.client("Eve")
        await leave(ann)
        assert await rests(run, eve)
        await eve.say(say.JoinTable(table=table(run).record.id))
        await eve.my_turn()
        await eve.close()
        await until(lambda: not table(run).sessions)
        run.clock.advance(2 * TEN_MINUTES)
        await several_turns(ann)
        # her seat is hers while she is away
        assert table(run).record.state == "live"
        assert table(run).activity.deserted_since is None


async def test_where_bots_stand_in_for_people_who_are_away_it_rests_and_does_not_end(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, ben, cleo = await three_players(run, seconds=3600, reaction_seconds=0)
        for gone, seat in ((ben, 1), (cleo, 2)):
            await gone.close()
            await stood_in_for(run, ann, seat)
        eve = await run.client("Eve")
        await leave(ann)
        assert await rests(run, eve)
        run.clock.advance(2 * TEN_MINUTES)
        await several_turns(eve)
        assert table(run).record.state == "live"
        await ben.connect()
        await ben.say(say.OpenTable(table=table(run).record.id))
        await ben.until(lambda: ben.talk.table is not None and not seen(ben).seats[1].bot)


async def test_a_host_may_let_bots_play_on_alone(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT, bots_alone=True) as run:
        ann = await with_bots(run)
        await leave(ann)
        await until(lambda: version(run) > 60)
        await until(lambda: table(run).record.state == "finished")
        result = table(run).record.result
        assert result is not None
        assert result.k != "result.deserted"


async def test_a_parked_match_without_people_ends_too(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann = await with_bots(run)
        live = table(run)
        live.parked()
        await leave(ann)
        await until(lambda: live.activity.deserted_since is not None)
        run.clock.advance(TEN_MINUTES)
        await until(lambda: live.record.state == "finished" and bool(live.record.parked))


async def test_mail_counts_as_a_person(tmp_path: Path) -> None:
    async with running(tmp_path, limits=PATIENT) as run:
        ann, ben, cleo = await three_players(run, mail=True)
        await call(ann, "pause")
        for client in (ann, ben, cleo):
            await client.close()
        eve = await run.client("Eve")
        await until(lambda: not table(run).sessions)
        run.clock.advance(2 * TEN_MINUTES)
        await several_turns(eve)
        assert table(run).record.state == "live"
        assert table(run).activity.deserted_since is None
