"""The bots in the seats of one match: each is asked when its seat has a prompt, and answers as a person does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

from engine.core.rules.audience import Seat
from protocol.ids import PromptId
from protocol.scene.nodes import NO_PROMPT, Reply
from server.match.bots.match_mirror import MatchMirror
from server.match.bots.seated_bot import SeatedBot
from server.match.bots.workers.pool import BotWorkers, RemoteCopy
from server.match.step import Stepper

PATIENCE: Final = 20
"""Refusals in a row after which the default is played for a bot."""

Post = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Act = Callable[["Seat", PromptId, "Reply", Callable[[str], None]], Awaitable[None]]
"""Carry out a bot's reply at a prompt; the last argument is told the code of a refusal, before anything is raised."""


class BotSeats:
    """Bots of one match by seat. Their answers come through `post`, in the host's queue. They think at its `mirror`."""

    def __init__(self, stepper: Stepper, post: Post, act: Act, workers: BotWorkers, mirror: MatchMirror) -> None:
        self._bots: dict[Seat, SeatedBot] = {}
        self._stepper = stepper
        self._post = post
        self._act = act
        self._workers = workers
        self._mirror = mirror
        self._is_stopped = False

    @property
    def is_busy(self) -> bool:
        """True while a bot is to decide, or its answer is on its way."""
        return any(bot.busy for bot in self._bots.values())

    def seat(self, bot: SeatedBot) -> None:
        """Let this bot play its seat from now on."""
        before = self._bots.pop(bot.seat, None)
        if before is not None:
            before.stop()
        self._bots[bot.seat] = bot
        if self._mirror.copy is not None:
            self._mirror.copy.sit(bot.seat, bot.kind, bot.seed, bot.acts)

    def sit(self, copy: RemoteCopy) -> None:
        """Let all bots play at a new copy."""
        for bot in self._bots.values():
            copy.sit(bot.seat, bot.kind, bot.seed, bot.acts)

    def unseat(self, seat: Seat) -> None:
        """Let no bot play this seat any more."""
        bot = self._bots.pop(seat, None)
        if bot is not None:
            bot.stop()
        if not self._bots:
            self._mirror.close()

    def stop(self) -> None:
        """Stop all bots, and drop what they are thinking about."""
        self._is_stopped = True
        for bot in self._bots.values():
            bot.stop()
        self._mirror.stop()

    async def wake(self) -> None:
        """Ask each bot whose turn it is. Nothing else may be done with the match meanwhile. Raises StoreError,
        NoProcess."""
        stepper = self._stepper
        if stepper.is_over:
            self._mirror.close()
        if not self._bots or self._is_stopped or stepper.is_over or stepper.is_held or stepper.is_ending:
            return
        due = [bot for bot in self._bots.values() if not bot.busy and self._prompt_of(bot)]
        if due:
            await self._mirror.make()
        for bot in due:
            if self._bots.get(bot.seat) is bot and not bot.busy:
                self._ask(bot, self._prompt_of(bot))

    def _prompt_of(self, bot: SeatedBot) -> PromptId:
        """Return the id of the prompt that this bot has to answer, empty where there is none."""
        prompt = self._stepper.journal.projector.prompt(bot.seat)
        if prompt is None or not prompt.choices or bot.seat in self._stepper.match.sealed:
            return NO_PROMPT
        return prompt.id

    def _ask(self, bot: SeatedBot, prompt: PromptId) -> None:
        bot.think(
            partial(self._think, bot, prompt),
            lambda reply: self._workers.turns.enter(lambda: self._post(lambda: self._acts(bot, prompt, reply))),
            lambda problem: self._post(lambda: self._failed(bot, problem)),
            lambda: self._post(lambda: self._again(bot)),
            is_turn=self._stepper.match.question is None,
        )

    def _think(self, bot: SeatedBot, prompt: PromptId, seat: Seat, seconds: float) -> asyncio.Future[Reply] | None:
        if self._mirror.copy is None or self._prompt_of(bot) != prompt:
            return None
        return self._mirror.copy.think(seat, seconds)

    async def _acts(self, bot: SeatedBot, prompt: PromptId, reply: Reply) -> None:
        if self._bots.get(bot.seat) is not bot:
            return
        if self._stepper.is_held:
            # asked again when the table goes on
            bot.answered("")
            return
        refusals: list[str] = []
        try:
            with self._workers.turns.running():
                await self._act(bot.seat, prompt, reply, refusals.append)
        finally:
            refusal = refusals[0] if refusals else ""
            bot.answered(refusal)
            if refusal and self._mirror.copy is not None:
                self._mirror.copy.refused(bot.seat, refusal)
        if bot.refusals >= PATIENCE:
            bot.refusals = 0
            await self._stepper.default_for(bot.seat)

    async def _again(self, bot: SeatedBot) -> None:
        """Have a bot asked anew where its seat still has a prompt: the match has moved on, or its process has ended."""
        bot.answered("")

    async def _failed(self, bot: SeatedBot, problem: Exception) -> None:
        self._stepper.fault(problem)
        bot.answered("failed")
        if self._bots.get(bot.seat) is bot:
            await self._stepper.default_for(bot.seat)
