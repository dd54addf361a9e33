"""The bots in the seats of one match: each is asked when its seat has a prompt, and its answer taken as anyone's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from server.bots import PATIENCE, SeatedBot, SeatView

if TYPE_CHECKING:
    from engine.core.audience import Seat
    from protocol.scene import Reply
    from server.stepper import Stepper

Post = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Act = Callable[["Seat", str, "Reply", Callable[[str], None]], Awaitable[None]]
"""Carry out a bot's reply at a prompt; the last argument is told the code of a refusal, before anything is raised."""


class BotSeats:
    """Bots by their seats. What they answer comes back through `post`, in the host's queue."""

    def __init__(self, stepper: Stepper, post: Post, act: Act) -> None:
        self._bots: dict[Seat, SeatedBot] = {}
        self._stepper = stepper
        self._post = post
        self._act = act

    def seat(self, bot: SeatedBot) -> None:
        """From now on this bot plays its seat."""
        self.unseat(bot.seat)
        self._bots[bot.seat] = bot

    def unseat(self, seat: Seat) -> None:
        """No bot plays this seat any more."""
        bot = self._bots.pop(seat, None)
        if bot is not None:
            bot.stop()

    def stop(self) -> None:
        """Whatever they think about, nobody waits for it."""
        for bot in self._bots.values():
            bot.stop()

    def wake(self) -> None:
        """Ask each whose turn it is."""
        stepper = self._stepper
        if stepper.is_over or stepper.is_held or stepper.is_ending:
            return
        projector = stepper.projector
        for seat, bot in self._bots.items():
            prompt = projector.prompt(seat)
            if bot.busy or prompt is None or not prompt.choices or seat in stepper.match.sealed:
                continue
            view = SeatView(stepper.match, seat, dict(projector.scene(seat)), prompt)
            bot.think(view, self._answer_of(bot, prompt.id), self._failure_of(bot))

    def _answer_of(self, bot: SeatedBot, prompt: str) -> Callable[[Reply], None]:
        return lambda reply: self._post(lambda: self._acts(bot, prompt, reply))

    def _failure_of(self, bot: SeatedBot) -> Callable[[Exception], None]:
        return lambda problem: self._post(lambda: self._failed(bot, problem))

    async def _acts(self, bot: SeatedBot, prompt: str, reply: Reply) -> None:
        if self._bots.get(bot.seat) is not bot:
            return
        if self._stepper.is_held:
            # asked again when the table goes on
            bot.answered(None, "")
            return
        refusals: list[str] = []
        try:
            await self._act(bot.seat, prompt, reply, refusals.append)
        finally:
            bot.answered(reply, refusals[0] if refusals else "")
        if bot.refusals >= PATIENCE:
            bot.refusals = 0
            await self._stepper.default_for(bot.seat)

    async def _failed(self, bot: SeatedBot, problem: Exception) -> None:
        self._stepper.fault(problem)
        bot.answered(None, "failed")
        if self._bots.get(bot.seat) is bot:
            await self._stepper.default_for(bot.seat)
