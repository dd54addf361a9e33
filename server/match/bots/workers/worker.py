"""The process in which bots think: orders come in on standard input, thoughts go out on standard output.

It ends with its server, however that ends: then the pipe of its orders does.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, BinaryIO, Final

from engine.core.rules.system import System
from server.match.bots.workers import orders
from server.match.bots.workers.match_copy import MatchCopy
from server.runtime.child_processes import give_way, imported
from server.runtime.loading import load_uncollected

READ_BYTES: Final = 1 << 16
LINES: Final = 12
"""Of a fault that are told, the last ones."""


class Minds:
    """All bots of this process. `say` takes their thoughts; `now`: seconds that never go backwards; `cpu`: those that
    this thread has used."""

    def __init__(
        self,
        say: Callable[[orders.Thought], object],
        now: Callable[[], float],
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        self._say = say
        self._now = now
        self._cpu = cpu
        self._systems: dict[str, System[Any]] = {}
        self._copies: dict[int, MatchCopy] = {}
        self._faults: dict[int, str] = {}
        """Of copies that cannot be gone on with."""
        self._given_up: set[int] = set()

    def hear(self, order: orders.Order) -> None:
        """Queue an order that has come. Called from the thread that reads."""
        if isinstance(order, orders.GiveUp):
            self._given_up.add(order.thought)

    def carry_out(self, order: orders.Order, came: float) -> None:
        """Carry out an order that came at `came`. A fault concerns its copy alone."""
        match order:
            case orders.Think():
                self._think(order, came)
            case orders.Sample():
                self._sample(order)
            case orders.GiveUp():
                self._given_up.discard(order.thought)
            case orders.Close():
                self._copies.pop(order.copy, None)
                self._faults.pop(order.copy, None)
            case _:
                try:
                    self._change(order)
                except Exception:  # noqa: BLE001 - whatever the rules raise, the other copies go on
                    self._faults.setdefault(order.copy, _fault())

    def _change(self, order: orders.Open | orders.Steps | orders.Sit | orders.DecisionRefused) -> None:
        match order:
            case orders.Open():
                self._copies[order.copy] = MatchCopy(self._system(order.system), order.match, order.secret)
            case orders.Steps():
                self._copies[order.copy].fold(order.steps)
            case orders.Sit():
                self._copies[order.copy].sit(order.seat, order.kind, order.seed, order.acts)
            case orders.DecisionRefused():
                self._copies[order.copy].refused(order.seat, order.code)

    def _system(self, place: str) -> System[Any]:
        """Return the same system for all matches of it: what it remembers of one serves the others."""
        if place not in self._systems:
            with load_uncollected():
                self._systems[place] = imported(place)
        return self._systems[place]

    def _think(self, order: orders.Think, came: float) -> None:
        # the time counts from the asking: where many wait, each has the less of it
        until, given_up = came + order.seconds, self._given_up
        reply, fault = None, self._faults.get(order.copy, "")
        if order.thought not in given_up and not fault:
            try:
                reply = self._copies[order.copy].decide(
                    order.seat, lambda: order.thought in given_up or self._now() >= until
                )
            except Exception:  # noqa: BLE001 - a bot may raise anything: that is told, and costs it a default
                fault = _fault()
        self._say(orders.Thought(order.thought, reply, fault))

    def _sample(self, order: orders.Sample) -> None:
        began, given_up = self._cpu(), self._given_up
        forecast, version, fault = None, 0, self._faults.get(order.copy, "")
        if order.thought not in given_up and not fault:
            try:
                copy = self._copies[order.copy]
                version = copy.version
                forecast = copy.sample(
                    order.seat,
                    order.prompt,
                    order.choice,
                    order.fields,
                    lambda: order.thought in given_up or self._cpu() - began >= order.seconds,
                )
            except Exception:  # noqa: BLE001 - the rules may raise anything: that is told, and there is no forecast
                fault = _fault()
        found = orders.SampledForecast(forecast, version, self._cpu() - began, fault)
        self._say(orders.Thought(order.thought, None, sampled=found))


def _fault() -> str:
    return "".join(traceback.format_exc().splitlines(keepends=True)[-LINES:])


def _read(source: BinaryIO, minds: Minds, waiting: SimpleQueue[tuple[orders.Order, float]]) -> None:
    """Read orders until the pipe ends, and then end the process."""
    frames = orders.Frames()
    try:
        while data := os.read(source.fileno(), READ_BYTES):
            for frame in frames.take(data):
                order = orders.order_of(frame)
                minds.hear(order)
                waiting.put((order, time.monotonic()))
    finally:
        os._exit(0)


def main() -> None:
    """Think until the server ends."""
    for name in ("SIGINT", "SIGHUP"):  # meant for the server, where they come from its terminal
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    give_way()
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    # what a bot prints is no thought
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def say(thought: orders.Thought) -> None:
        data = memoryview(orders.framed(thought))
        while data:
            data = data[told.write(data) :]

    waiting: SimpleQueue[tuple[orders.Order, float]] = SimpleQueue()
    minds = Minds(say, time.monotonic)
    threading.Thread(target=_read, args=(sys.stdin.buffer, minds, waiting), daemon=True).start()
    gc.freeze()
    while True:
        minds.carry_out(*waiting.get())
