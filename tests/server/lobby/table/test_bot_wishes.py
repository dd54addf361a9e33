"""The pace of bots: as the table says, as its players wish, at once where one asks for the next act."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.wire import from_client as say
from server.match.bots.pace import ANSWERING, ActPace
from tests.support.clients.wire import running, two_players
from tests.support.doubles.clock import JumpingClock

pytestmark = pytest.mark.waits


async def begun(pace: ActPace, clock: JumpingClock, *, is_turn: bool = True) -> asyncio.Task[None]:
    waiting = asyncio.ensure_future(pace.wait(is_turn=is_turn))
    await clock.until_sleeping()
    return waiting


async def test_a_bot_waits_as_long_as_the_pace_says() -> None:
    clock = JumpingClock()
    waiting = await begun(ActPace(clock, 1.5), clock)
    clock.advance(1.4)
    await asyncio.sleep(0)
    assert not waiting.done()
    clock.advance(0.1)
    await waiting


async def test_it_answers_sooner_than_it_acts() -> None:
    clock = JumpingClock()
    waiting = await begun(ActPace(clock, 5), clock, is_turn=False)
    clock.advance(ANSWERING)
    await waiting


async def test_the_next_act_may_be_asked_for_at_once() -> None:
    clock = JumpingClock()
    pace = ActPace(clock, 5)
    waiting = await begun(pace, clock)
    pace.hurry()
    await waiting
    again = await begun(pace, clock)
    assert not again.done()
    again.cancel()


async def test_a_server_that_hurries_knows_no_pace() -> None:
    await ActPace(JumpingClock(), 5, fixed=0.0).wait(is_turn=True)


async def test_the_slowest_wish_of_those_who_play_holds(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        for wish in (3000, 800):
            await ann.say(say.BotPace(pace=wish))
            await ben.say(say.BotPace(pace=2000))
            shown = max(wish, 2000)
            await ann.until(lambda shown=shown: ann.talk.table is not None and ann.talk.table.bot_pace == shown)  # type: ignore[misc]  # a default has no type
        await ann.say(say.BotPace())
        await ann.pinged()


async def test_the_table_says_the_pace_until_somebody_wishes_another(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        await ann.create()
        await ann.say(say.ChangeTable(bot_pace=5000))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.bot_pace == 5000)
        await ann.say(say.BotPace(pace=800))
        assert await ann.problem() == "vote/no-match"
