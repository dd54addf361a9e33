"""A bot in a seat of a live match: it is asked after a pause, and thinks in another process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from engine.core.rules.audience import Seat
from protocol.scene.nodes import Reply
from server.match.bots.pace import ActPace
from server.match.bots.workers.worker_process import BotFailed, ProcessEnded
from server.runtime.tasks import TaskSupervisor

MOST_DEATHS: Final = 2
"""Processes that may die over one decision; then the bot has failed."""

Ask = Callable[["Seat", float], "asyncio.Future[Reply] | None"]
"""Have the bot of this seat decide within so many seconds; None where no decision is wanted any more. See
WorkerProcess.think."""


class SeatedBot:
    """A bot that makes one decision at a time. `pace`: the pause before it is asked, so that people can follow;
    `seconds`: the most for one decision, after which it plays the best that it has found; `acts`: what it tries
    first."""

    def __init__(
        self,
        seat: Seat,
        kind: str,
        seed: int,
        tasks: TaskSupervisor,
        pace: ActPace,
        seconds: float,
        acts: tuple[Reply, ...] = (),
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.seed = seed
        self.acts = acts
        self.refusals = 0
        """In a row."""
        self._tasks = tasks
        self._pace = pace
        self._seconds = seconds
        self._deaths = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """True while it is thinking, or its answer is on its way."""
        return self._task is not None

    def think(
        self,
        ask: Ask,
        answer: Callable[[Reply], None],
        failed: Callable[[Exception], None],
        again: Callable[[], None],
        *,
        is_turn: bool = True,
    ) -> None:
        """Have it decide, then call `answer`; `failed` where the bot itself fails, `again` where it is to be asked
        anew. `answered` must follow. `is_turn`: it is to act, and not to answer."""
        self._task = self._tasks.begin(self._think(ask, answer, failed, again, is_turn=is_turn), "bot")

    async def _think(
        self,
        ask: Ask,
        answer: Callable[[Reply], None],
        failed: Callable[[Exception], None],
        again: Callable[[], None],
        *,
        is_turn: bool,
    ) -> None:
        # a refused bot has had its pause already
        if not self.refusals:
            await self._pace.wait(is_turn=is_turn)
        thought = ask(self.seat, self._seconds)
        if thought is None:
            again()
            return
        try:
            reply = await thought
        except ProcessEnded as ended:
            self._deaths += ended.at_this
            if self._deaths < MOST_DEATHS:
                again()
            else:
                self._deaths = 0
                failed(BotFailed(f"{MOST_DEATHS} processes have died over this decision"))
        except BotFailed as problem:
            failed(problem)
        else:
            self._deaths = 0
            answer(reply)

    def answered(self, refusal: str) -> None:
        """End a decision. `refusal`: the code with which its reply was refused, empty where it was not."""
        self._task = None
        self.refusals = self.refusals + 1 if refusal else 0

    def stop(self) -> None:
        """Stop thinking."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
