"""Bots in seats: asked after their pause, given up when nobody waits, failed after two deaths."""

from __future__ import annotations

import asyncio

from engine.core.rules.audience import Seat
from protocol.limits import Limits
from protocol.scene.nodes import Reply
from server.match.bots.pace import ActPace
from server.match.bots.seated_bot import SeatedBot
from server.match.bots.workers.worker_process import BotFailed, ProcessEnded
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.supervisor import supervisor

PAUSE = 0.4


class BotSeat:
    """The things that a bot in a seat says, and the thoughts that it waits for."""

    def __init__(self) -> None:
        self.clock = JumpingClock()
        self.bot = SeatedBot(Seat(2), "level2", 1, supervisor(), ActPace(self.clock, PAUSE), Limits.bot_seconds)
        self.asked: list[tuple[Seat, float]] = []
        self.thought: asyncio.Future[Reply] | None = asyncio.get_running_loop().create_future()
        self.said: list[object] = []

    def ask(self, seat: Seat, seconds: float) -> asyncio.Future[Reply] | None:
        self.asked.append((seat, seconds))
        return self.thought

    async def think(self, pause: float = PAUSE) -> None:
        self.bot.think(self.ask, self.said.append, self.said.append, lambda: self.said.append("again"))
        if pause:
            await self.clock.until_sleeping()
            assert not self.asked
            self.clock.advance(pause)
        await turns()


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_it_is_asked_after_its_pause_and_at_once_when_it_was_refused() -> None:
    bot_seat = BotSeat()
    await bot_seat.think()
    assert bot_seat.asked == [(Seat(2), Limits.bot_seconds)]
    assert bot_seat.bot.busy
    assert bot_seat.thought is not None
    bot_seat.thought.set_result(Reply("found"))
    await turns()
    assert bot_seat.said == [Reply("found")]
    assert bot_seat.bot.busy
    bot_seat.bot.answered("stale")
    assert not bot_seat.bot.busy
    assert bot_seat.bot.refusals == 1
    await bot_seat.think(pause=0)
    assert len(bot_seat.asked) == 2
    bot_seat.bot.answered("")
    assert bot_seat.bot.refusals == 0


async def test_a_bot_that_is_stopped_gives_its_thought_up_and_says_nothing() -> None:
    bot_seat = BotSeat()
    await bot_seat.think()
    bot_seat.bot.stop()
    await turns()
    assert bot_seat.thought is not None
    assert bot_seat.thought.cancelled()
    assert not bot_seat.said
    assert not bot_seat.bot.busy
    pausing = BotSeat()
    pausing.bot.think(pausing.ask, pausing.said.append, pausing.said.append, lambda: None)
    await pausing.clock.until_sleeping()
    pausing.bot.stop()
    pausing.clock.advance(PAUSE)
    await turns()
    assert not pausing.asked


async def test_where_the_match_has_moved_on_it_is_asked_anew() -> None:
    bot_seat = BotSeat()
    bot_seat.thought = None
    await bot_seat.think()
    assert bot_seat.said == ["again"]


async def test_two_processes_may_die_over_a_decision_and_no_third() -> None:
    bot_seat = BotSeat()
    for at_this in (False, True, False, True):
        bot_seat.thought = asyncio.get_running_loop().create_future()
        bot_seat.thought.set_exception(ProcessEnded(at_this=at_this))
        await bot_seat.think()
        bot_seat.bot.answered("")
        bot_seat.asked.clear()
    assert bot_seat.said[:3] == ["again"] * 3
    assert isinstance(bot_seat.said[3], BotFailed)
    # the next decision has two of its own
    bot_seat.thought = asyncio.get_running_loop().create_future()
    bot_seat.thought.set_exception(ProcessEnded(at_this=True))
    await bot_seat.think()
    assert bot_seat.said[4] == "again"


async def test_a_bot_that_fails_says_how() -> None:
    bot_seat = BotSeat()
    assert bot_seat.thought is not None
    bot_seat.thought.set_exception(BotFailed("RuntimeError: no idea"))
    await bot_seat.think()
    assert str(bot_seat.said[0]) == "RuntimeError: no idea"
