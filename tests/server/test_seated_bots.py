"""Bots in seats: one that is stopped leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import threading
from concurrent.futures import ThreadPoolExecutor

from engine.core.audience import Seat
from engine.core.dice import MatchDice
from engine.core.match import Match
from engine.core.random_bot import RandomBot
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
