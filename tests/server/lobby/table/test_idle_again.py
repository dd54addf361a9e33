"""People who are there and let their time run out: the table asks about them, and again when they do so again."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from protocol.wire.seating import AskSeat, GiveSeat
from server.content.systems import install
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.servers.seats import cast, seen
from tests.support.systems.duel import Duel

LASTING = {"duel": install(Duel(), {"duel.toml": "[scenario.two]\nseats = 2\nturns = 20"})}


async def idles(run: Running, idler: Client, other: Client) -> None:
    """Let the time of one run out, and the other rest."""
    await idler.my_turn()
    run.clock.advance(5)
    await other.my_turn()
    assert await other.intend("rest") == ""


async def test_the_table_asks_again_about_one_who_has_acted_meanwhile(tmp_path: Path) -> None:
    async with running(tmp_path, systems=LASTING) as run:
        ann, ben = await two_players(run, seconds=5, reaction_seconds=0)
        for _ in range(2):
            for _ in range(2):
                await idles(run, ann, ben)
            await ben.until(lambda: seen(ben).vote is not None)
            await cast(ben, yes=False)
            await ben.until(lambda: seen(ben).vote is None)
            await ann.my_turn()
            assert await ann.intend("rest") == ""
            await ben.my_turn()
            assert await ben.intend("rest") == ""


async def test_who_takes_a_seat_over_has_let_no_time_run_out(tmp_path: Path) -> None:
    async with running(tmp_path, systems=LASTING) as run:
        ann, ben = await two_players(run, seconds=5, reaction_seconds=0)
        await idles(run, ann, ben)
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=seen(ann).id))
        await eve.arrived()
        await eve.say(AskSeat(seat=0))
        await ann.until(lambda: [one.asks for one in seen(ann).watchers] == [0])
        await ann.say(GiveSeat(who=eve.talk.you))
        await eve.until(lambda: seen(eve).seat == 0)
        await idles(run, eve, ben)
        await ben.pinged()
        assert seen(ben).vote is None
        await idles(run, eve, ben)
        await ben.until(lambda: seen(ben).vote is not None)
