"""Bots in seats: they see what a person in that seat would, and answer through the same door."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from engine.core.audience import Seat
from engine.core.bot import Bot, Picture, run_inline
from engine.core.errors import IllegalIntent
from engine.core.prompts import detail_for
from engine.core.random_bot import RandomBot
from protocol.limits import Limits

if TYPE_CHECKING:
    from engine.core.match import Match
    from engine.core.system import System
    from protocol.scene import AnyField, AnyNode, Prompt, Reply
    from server.clock import Clock

PATIENCE: Final = 20
"""Refusals in a row after which the default is played for a bot."""


def make_bot(system: System[Any], kind: str, seed: int) -> Bot:
    """A bot of this kind: the system's own, or the random player where it has none of that name."""
    maker = system.bots.get(kind)
    return maker(seed) if maker is not None else RandomBot(seed)


class SeatView(Picture):
    """What a bot looks at: the scene as it was when it was asked. Safe to read from another thread."""

    def __init__(self, match: Match[Any], seat: Seat, nodes: Mapping[str, AnyNode], prompt: Prompt) -> None:
        super().__init__(seat, nodes, prompt)
        self._match = match
        self._version = match.version
        self._is_due: Callable[[], bool] = super().is_due

    async def detail(self, choice: str, fields: Mapping[str, object], bare: bool = False) -> AnyField | None:
        # the match may have moved on meanwhile; then the answer will be stale, and so is the question
        if self._match.version != self._version:
            return None
        try:
            return detail_for(self._match, Seat(self.seat), choice, fields, bare)
        except IllegalIntent:
            return None

    def is_due(self) -> bool:
        """Whether its time to think is over, or the thought was given up."""
        return self._is_due()

    def press(self, is_due: Callable[[], bool]) -> None:
        """Ask this from now on whether an answer is due."""
        self._is_due = is_due


class Thought:
    """The time that one decision may take: over after so many `seconds` by the clock, or as soon as it is given up."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._until = clock.now() + seconds
        self._given_up = threading.Event()

    def is_over(self) -> bool:
        """Asked from the thread that thinks."""
        return self._given_up.is_set() or self._clock.now() >= self._until

    def give_up(self) -> None:
        """Nobody waits for it any more."""
        self._given_up.set()


class SeatedBot:
    """A bot in a seat of a live match. It thinks in a thread, one decision at a time, and for `Limits.bot_seconds` at
    most: a bot that is still at it then plays the best that it has found."""

    def __init__(self, seat: Seat, bot: Bot, clock: Clock, pause: float, seconds: float = Limits.bot_seconds) -> None:
        self.seat = seat
        self._bot = bot
        self._clock = clock
        self._pause = pause
        self._seconds = seconds
        self._task: asyncio.Task[None] | None = None
        self._thought: Thought | None = None
        self.refusals = 0

    @property
    def busy(self) -> bool:
        """Whether it is thinking, or its answer is on its way."""
        return self._task is not None

    def think(self, view: SeatView, answer: Callable[[Reply], None], failed: Callable[[Exception], None]) -> None:
        """Decide, then call `answer`; call `failed` where the bot itself fails. `answered` must follow."""
        self._task = asyncio.create_task(self._think(view, answer, failed))

    async def _think(
        self, view: SeatView, answer: Callable[[Reply], None], failed: Callable[[Exception], None]
    ) -> None:
        # a refused bot has had its pause already
        await self._clock.sleep(0 if self.refusals else self._pause)
        self._thought = thought = Thought(self._clock, self._seconds)
        view.press(thought.is_over)
        try:
            # the coroutine is made in the thread: one that is stopped before its turn has not begun to think
            reply = await asyncio.to_thread(lambda: run_inline(self._bot.decide(view)))
        except Exception as problem:
            failed(problem)
            return
        answer(reply)

    def answered(self, reply: Reply | None, refusal: str) -> None:
        """What became of it: `refusal` is a code, empty where the reply was taken."""
        self._task = None
        if not refusal:
            self.refusals = 0
            return
        self.refusals += 1
        if reply is not None:
            self._bot.refused(reply, refusal)

    def stop(self) -> None:
        """Give up thinking."""
        if self._thought is not None:
            self._thought.give_up()
        if self._task is not None:
            self._task.cancel()
            self._task = None
