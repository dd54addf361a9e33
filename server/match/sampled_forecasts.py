"""Forecasts that are sampled in another process: one of a seat at a time, of which the newest counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from engine.core.rules.audience import Seat
from protocol.ids import PromptId
from protocol.scene.advice import Forecast
from server.match.bots.bot_seats import Post
from server.match.bots.match_mirror import MatchMirror
from server.match.bots.workers.orders import SampledForecast
from server.match.bots.workers.pool import NoProcess
from server.match.bots.workers.worker_process import BotFailed
from server.match.step import Stepper
from server.store.port import StoreError

CPU_SECONDS: Final = 1.0
"""For one forecast; where that is not enough for all plays, it is of fewer."""

Told = Callable[[Forecast | None, float], object]
"""Takes a forecast, None where there is none, and the seconds of CPU that it took."""


class SampledForecasts:
    """Asker of the forecasts of one match. What it does comes through `post`, in the host's queue."""

    def __init__(self, stepper: Stepper, mirror: MatchMirror, post: Post) -> None:
        self._stepper = stepper
        self._mirror = mirror
        self._post = post
        self._asked: dict[Seat, object] = {}
        """What each seat asked for last, while it waits."""
        self._running: dict[Seat, asyncio.Future[SampledForecast]] = {}

    def ask(self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object], told: Told) -> None:
        """Have a choice filled in with these fields sampled; `told` is called once, unless this is stopped before."""
        self.drop(seat)
        mark = self._asked[seat] = object()
        self._post(lambda: self._begin(seat, mark, prompt, choice, fields, told))

    async def _begin(
        self, seat: Seat, mark: object, prompt: PromptId, choice: str, fields: Mapping[str, object], told: Told
    ) -> None:
        if self._asked.get(seat) is not mark or not self._stepper.is_shown(seat, prompt):
            told(None, 0)
            return
        try:
            copy = await self._mirror.make()
        except (StoreError, NoProcess):
            copy = None
        if copy is None or self._asked.get(seat) is not mark:
            told(None, 0)
            return
        running = self._running[seat] = copy.sample(seat, prompt, choice, fields, CPU_SECONDS)
        running.add_done_callback(lambda done: self._end(seat, mark, choice, fields, told, done))

    def _end(
        self,
        seat: Seat,
        mark: object,
        choice: str,
        fields: Mapping[str, object],
        told: Told,
        done: asyncio.Future[SampledForecast],
    ) -> None:
        if self._running.get(seat) is done:
            del self._running[seat]
        if self._asked.get(seat) is mark:
            del self._asked[seat]
        problem = None if done.cancelled() else done.exception()
        if isinstance(problem, BotFailed):
            self._stepper.fault(problem)
        if done.cancelled() or problem is not None:
            told(None, 0)
            return
        found = done.result()
        if found.forecast is not None and found.version == self._stepper.match.version:
            self._stepper.keep_forecast(seat, choice, fields, found.forecast)
        told(found.forecast, found.seconds)

    def drop(self, seat: Seat) -> None:
        """Give up what this seat has asked for."""
        self._asked.pop(seat, None)
        running = self._running.pop(seat, None)
        if running is not None:
            running.cancel()

    def stop(self) -> None:
        """Give up all."""
        for seat in [*self._asked, *self._running]:
            self.drop(seat)
