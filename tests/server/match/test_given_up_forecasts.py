"""Sampled forecasts that are given up, or that fail, cost what they have taken."""

from __future__ import annotations

import asyncio
from collections import deque
from types import SimpleNamespace
from typing import Any

from engine.core.rules.audience import Seat
from engine.core.rules.errors import Refusal
from engine.core.rules.steps import Steps
from protocol.ids import PromptId
from protocol.scene.advice import Forecast
from protocol.text import Text
from protocol.wire.from_client import Propose
from protocol.wire.from_server import Proposed
from server.match.advice import Desk, slices
from server.match.bots.workers.orders import (
    Frames,
    GiveUp,
    Order,
    Sample,
    SampledForecast,
    Thought,
    framed,
    order_of,
)
from server.match.bots.workers.pool import RemoteCopy
from server.match.bots.workers.worker import Minds
from server.match.bots.workers.worker_process import WorkerProcess
from server.match.sampled_forecasts import CPU_SECONDS, SampledForecasts

SEAT, PROMPT = Seat(0), PromptId("p1")
FOUND = Forecast(sure="about")


class Pipe:
    """The transport of a process, and its input: what is written is read as orders."""

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self._frames = Frames()

    def get_pipe_transport(self, _: int) -> Pipe:
        return self

    def get_pid(self) -> int:
        return 1

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        self.orders += map(order_of, self._frames.take(data))


class Asked:
    """A seat that proposes choices, whose forecasts a process of the test samples."""

    def __init__(self) -> None:
        self.charged: list[float] = []
        self.said: list[Proposed] = []
        self.kept: list[Forecast] = []
        self.faults: list[Exception] = []
        self.pipe = Pipe()
        self.process = WorkerProcess(lambda _: None, 60.0)
        self.process.connection_made(self.pipe)  # type: ignore[arg-type]  # all that is used of it
        self._copy = RemoteCopy(self.process, 1)
        self._works: deque[Any] = deque()
        stepper: Any = SimpleNamespace(
            match=SimpleNamespace(version=5),
            proposal=self._proposal,
            forecast=lambda *_: None,
            is_shown=lambda *_: True,
            keep_forecast=lambda *found: self.kept.append(found[-1]),
            fault=self.faults.append,
        )
        mirror: Any = SimpleNamespace(make=self._make)
        forecasts = SampledForecasts(stepper, mirror, self._works.append)
        self._desk = Desk(stepper, forecasts, lambda _: Refusal("rules/fault", Text("")), self.charged.append)

    def _proposal(self, *_: object) -> Steps[Any]:
        yield
        return SimpleNamespace(ghosts={}, fields={}, open=False, forecast=None, counted=object())

    async def _make(self) -> RemoteCopy:
        return self._copy

    async def propose(self, id: int) -> None:
        """Propose something, and have it sampled."""
        for _ in slices(self._desk, SEAT, Propose(id=id, prompt=PROMPT, choice="march", fields={}), self):
            pass
        while self._works:
            await self._works.popleft()()

    def say(self, message: Any) -> None:
        """Take an answer."""
        self.said.append(message)

    async def hear(self, thought: Thought) -> None:
        """Hear a thought of the process."""
        self.process.pipe_data_received(1, framed(thought))
        await asyncio.sleep(0)

    def last(self, id: int) -> list[Forecast | None]:
        """Return the forecasts in the last answers to a proposal."""
        return [answer.forecast for answer in self.said if answer.id == id and not answer.more]


async def test_one_that_a_newer_proposal_ends_is_charged_when_its_thought_comes() -> None:
    asked = Asked()
    await asked.propose(1)
    await asked.propose(2)
    await asyncio.sleep(0)
    assert [type(order) for order in asked.pipe.orders if not isinstance(order, Sample)] == [GiveUp]
    assert asked.last(1) == [None]
    await asked.hear(Thought(1, None, sampled=SampledForecast(FOUND, 5, 0.75)))
    assert sum(asked.charged) == 0.75
    assert (asked.last(1), asked.kept) == ([None], []), "it is of fewer plays than could have been"
    await asked.hear(Thought(2, None, sampled=SampledForecast(FOUND, 5, 0.5)))
    assert sum(asked.charged) == 1.25
    assert (asked.last(2), asked.kept) == ([FOUND], [FOUND])


async def test_one_that_fails_is_charged_and_one_that_its_process_dies_of_counts_in_full() -> None:
    asked = Asked()
    await asked.propose(1)
    await asked.hear(Thought(1, None, sampled=SampledForecast(None, 5, 0.5, "KeyError: 7")))
    assert (asked.charged, asked.last(1), len(asked.faults)) == ([0.5], [None], 1)
    await asked.propose(2)
    asked.process.pipe_connection_lost(1, None)
    await asyncio.sleep(0)
    assert (asked.charged, asked.last(2), len(asked.faults)) == ([0.5, CPU_SECONDS], [None], 1)


def test_a_process_tells_the_seconds_of_one_that_fails() -> None:
    said: list[Thought] = []
    used = iter([2.0, 2.5])
    minds = Minds(said.append, lambda: 0.0, lambda: next(used))
    minds.carry_out(Sample(7, SEAT, 1, PROMPT, "march", {}, CPU_SECONDS), 0.0)
    assert said[0].sampled is not None
    assert (said[0].sampled.forecast, said[0].sampled.seconds) == (None, 0.5)
    assert "KeyError" in said[0].sampled.fault


def test_a_process_answers_one_that_is_given_up_before_its_turn() -> None:
    said: list[Thought] = []
    minds = Minds(said.append, lambda: 0.0, lambda: 0.0)
    minds.hear(GiveUp(1))
    minds.carry_out(Sample(7, SEAT, 1, PROMPT, "march", {}, CPU_SECONDS), 0.0)
    assert said == [Thought(1, None, sampled=SampledForecast(None, 0, 0.0))]
