"""Bots in seats: they think beside the loop and within their time; one that is stopped leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import threading
from concurrent.futures import ThreadPoolExecutor

from engine.core.audience import Seat
from engine.core.bot import View
from engine.core.dice import MatchDice
from engine.core.match import Match
from engine.core.random_bot import RandomBot
from protocol.limits import Limits
from protocol.scene import Prompt, Reply
from protocol.text import text
from server.bots import SeatedBot, SeatView
from tests.support.clock import JumpingClock
from tests.support.duel import Duel
from tests.support.duel_state import DuelState


async def test_a_bot_stopped_while_it_waits_for_a_thread_has_not_begun() -> None:
    """A decision that was made and never run would be a warning, which is an error here."""
    loop, busy = asyncio.get_running_loop(), threading.Event()
    threads = ThreadPoolExecutor(1)
    loop.set_default_executor(threads)
    blocker = loop.run_in_executor(None, busy.wait)
    match: Match[DuelState] = Match(Duel(), "m1", MatchDice(bytes(32), "m1"))
    view = SeatView(match, Seat(0), {}, Prompt("p", text("duel.act"), ()))
    said: list[Reply] = []
    failures: list[Exception] = []
    bot = SeatedBot(Seat(0), RandomBot(1), JumpingClock(), 0)
    bot.think(view, said.append, failures.append)
    for _ in range(5):
        await asyncio.sleep(0)
    bot.stop()
    for _ in range(5):
        await asyncio.sleep(0)
    busy.set()
    await blocker
    gc.collect()
    assert not (said or failures)


class Ponderer:
    """Thinks until it has to answer."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    async def decide(self, view: View) -> Reply:
        self.begun.set()
        while not view.is_due():
            pass
        return Reply("found")

    def refused(self, reply: Reply, code: str) -> None:
        """Nothing is made of it."""


async def _pondering() -> tuple[SeatedBot, JumpingClock, list[Reply]]:
    """A bot that has begun to think, in the only thread that there is."""
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(1))
    match: Match[DuelState] = Match(Duel(), "m1", MatchDice(bytes(32), "m1"))
    view = SeatView(match, Seat(0), {}, Prompt("p", text("duel.act"), ()))
    clock, said, ponderer = JumpingClock(), list[Reply](), Ponderer()
    bot = SeatedBot(Seat(0), ponderer, clock, 0)
    bot.think(view, said.append, lambda problem: said.append(Reply(str(problem))))
    while not ponderer.begun.is_set():
        await asyncio.sleep(0)
    return bot, clock, said


async def test_a_thought_ends_with_its_time_and_the_loop_goes_on_meanwhile() -> None:
    bot, clock, said = await _pondering()
    for _ in range(100):
        await asyncio.sleep(0)
    assert not said
    assert bot.busy
    clock.advance(Limits.bot_seconds)
    while not said:
        await asyncio.sleep(0)
    assert said == [Reply("found")]


async def test_a_thought_that_nobody_waits_for_frees_its_thread_and_says_nothing() -> None:
    bot, _, said = await _pondering()
    bot.stop()
    # the thread is free for this only once the thought is over
    await asyncio.get_running_loop().run_in_executor(None, bool)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not bot.busy
    assert not said
