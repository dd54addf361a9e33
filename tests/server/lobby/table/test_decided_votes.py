"""Votes are over as soon as they are decided, also where that is so because a seat has changed hands."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.seating import AskSeat, GiveSeat
from tests.server.lobby.table.test_idle_again import LASTING, idles
from tests.support.clients.wire import running, two_players
from tests.support.servers.seats import all_see, call, cast, seen, three_players


async def test_one_is_decided_when_the_last_who_has_not_voted_is_removed_while_away(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cleo = await three_players(run)
        await cleo.close()
        await ann.until(lambda: seen(ann).seats[2].away >= 0)
        await call(ann, "pause")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=False)
        await ann.until(lambda: (vote := seen(ann).vote) is not None and vote.no == (1,))
        await ann.say(say.RemoveSeat(seat=2))
        await all_see(lambda view: view.vote is None and not view.rest, ann, ben)


async def test_one_about_a_seat_is_over_when_another_takes_that(tmp_path: Path) -> None:
    async with running(tmp_path, systems=LASTING) as run:
        ann, ben = await two_players(run, seconds=5, reaction_seconds=0)
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=seen(ann).id))
        await eve.arrived()
        for _ in range(2):
            await idles(run, ann, ben)
        await ben.until(lambda: seen(ben).vote is not None)
        await eve.say(AskSeat(seat=0))
        await ann.until(lambda: [one.asks for one in seen(ann).watchers] == [0])
        await ann.say(GiveSeat(who=eve.talk.you))
        await all_see(lambda view: view.vote is None and not view.seats[0].bot, ben, eve)
