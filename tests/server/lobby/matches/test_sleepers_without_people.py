"""Matches that sleep while their last person is removed or forgotten: they end as any that bots alone are left in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from protocol.wire.order import OrderDone
from protocol.wire.order_requests import RemovePerson
from server.lobby.table.live_table import LiveTable
from tests.server.lobby.matches.test_sleeping_matches import minutes
from tests.server.lobby.test_deserted import PATIENT, TEN_MINUTES
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.servers.registration import CHEAP, keeps

DAY = 24 * 3600
LIMITS = replace(PATIENT, password_kib=CHEAP.password_kib, password_passes=CHEAP.password_passes)


async def asleep(run: Running, other: Client) -> tuple[LiveTable, list[str]]:
    """Return the table of a match that sleeps, and its two people, who have gone."""
    players = await two_players(run, seconds=3600)
    [live] = run.server.lobby.tables()
    for player in players:
        await player.close()
    await until(lambda: not live.sessions)
    assert await minutes(run.clock, other, live)
    return live, [player.talk.you for player in players]


async def ends(run: Running, live: LiveTable) -> None:
    """Wait until a match without people has ended by itself, ten minutes after the last of them."""
    await until(lambda: live.activity.deserted_since is not None)
    run.clock.advance(TEN_MINUTES)
    await until(lambda: live.record.state == "finished")
    assert live.record.result is not None
    assert live.record.result.k == "result.deserted"


async def test_it_ends_where_a_moderator_removes_the_last_of_them(tmp_path: Path) -> None:
    async with running(tmp_path, limits=LIMITS, moderators=("Mo",)) as run:
        mo = await run.client("Mo")
        await keeps(mo)
        live, people = await asleep(run, mo)
        for who in people:
            await mo.say(RemovePerson(who=who, reason="rude"))
            await mo.hear(OrderDone)
        assert not live.record.people
        await ends(run, live)


async def test_it_ends_where_their_accounts_expire(tmp_path: Path) -> None:
    limits = replace(LIMITS, guest_seconds=DAY, played_guest_seconds=DAY)
    async with running(tmp_path, limits=limits) as run:
        live, _ = await asleep(run, await run.client("Mo"))
        run.clock.advance(2 * DAY)
        await until(lambda: not live.record.people)
        await ends(run, live)
