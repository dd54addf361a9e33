"""Forecasts that are sampled in another process: one of a seat at a time, of which the newest counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from engine.core.rules.audience import Seat
from protocol.ids import PromptId
from protocol.scene.advice import Forecast
from server.match.bots.bot_seats import Post
from server.match.bots.match_mirror import MatchMirror
from server.match.bots.workers.orders import SampledForecast
from server.match.bots.workers.pool import NoProcess
from server.match.bots.workers.worker_process import BotFailed, ProcessEnded, Sampling
from server.match.step import Stepper
from server.store.port import StoreError

CPU_SECONDS: Final = 1.0
"""For one forecast; where that is not enough for all plays, it is of fewer."""

Told = Callable[[Forecast | None], object]
"""Takes a forecast, None where there is none."""
Charge = Callable[[float], object]
"""Takes the seconds of CPU that a forecast took."""
Ended = Callable[[asyncio.Future[SampledForecast]], object]


class _AskedForecast:
    """Forecast that a seat asks for. It is charged also where it is given up."""

    def __init__(self, told: Told, charge: Charge) -> None:
        self.told = told
        self._charge = charge
        self._running: tuple[Sampling, Ended] | None = None

    def begin(self, sampling: Sampling, ended: Ended) -> None:
        """Wait for what is being sampled, and call `ended`, unless it is given up before."""
        self._running = sampling, ended
        sampling.answer.add_done_callback(partial(_count, self._charge))
        sampling.answer.add_done_callback(ended)

    def give_up(self) -> None:
        """Tell that there is no forecast, and sample no further. What is still to come leads to nothing but the
        charge."""
        if self._running is not None:
            sampling, ended = self._running
            sampling.answer.remove_done_callback(ended)
            sampling.give_up()
        self.told(None)


class SampledForecasts:
    """Asker of the forecasts of one match. What it does comes through `post`, in the host's queue."""

    def __init__(self, stepper: Stepper, mirror: MatchMirror, post: Post) -> None:
        self._stepper = stepper
        self._mirror = mirror
        self._post = post
        self._asked: dict[Seat, _AskedForecast] = {}
        """What each seat asked for last, while it waits."""

    def ask(
        self, seat: Seat, prompt: PromptId, choice: str, fields: Mapping[str, object], told: Told, charge: Charge
    ) -> None:
        """Have a choice filled in with these fields sampled; `told` is called once."""
        self.drop(seat)
        request = self._asked[seat] = _AskedForecast(told, charge)
        self._post(lambda: self._begin(seat, request, prompt, choice, fields))

    async def _begin(
        self, seat: Seat, request: _AskedForecast, prompt: PromptId, choice: str, fields: Mapping[str, object]
    ) -> None:
        if self._asked.get(seat) is not request:
            return
        if not self._stepper.is_shown(seat, prompt):
            self.drop(seat)
            return
        try:
            copy = await self._mirror.make()
        except (StoreError, NoProcess):
            copy = None
        if self._asked.get(seat) is not request:
            return
        if copy is None:
            self.drop(seat)
            return
        sampling = copy.sample(seat, prompt, choice, fields, CPU_SECONDS)
        request.begin(sampling, lambda done: self._end(seat, request, choice, fields, done))

    def _end(
        self,
        seat: Seat,
        request: _AskedForecast,
        choice: str,
        fields: Mapping[str, object],
        done: asyncio.Future[SampledForecast],
    ) -> None:
        if self._asked.get(seat) is not request:
            return
        del self._asked[seat]
        found = done.result() if done.exception() is None else SampledForecast(None, 0, 0.0)
        if found.fault:
            self._stepper.fault(BotFailed(found.fault))
        if found.forecast is not None and found.version == self._stepper.match.version:
            self._stepper.keep_forecast(seat, choice, fields, found.forecast)
        request.told(found.forecast)

    def drop(self, seat: Seat) -> None:
        """Give up what this seat has asked for."""
        request = self._asked.pop(seat, None)
        if request is not None:
            request.give_up()

    def stop(self) -> None:
        """Give up all."""
        for seat in list(self._asked):
            self.drop(seat)


def _count(charge: Charge, done: asyncio.Future[SampledForecast]) -> None:
    """Charge what a forecast has taken; one that its process has died of counts as if it had taken all its time."""
    problem = done.exception()
    if problem is None:
        charge(done.result().seconds)
    elif isinstance(problem, ProcessEnded) and problem.at_this:
        charge(CPU_SECONDS)
