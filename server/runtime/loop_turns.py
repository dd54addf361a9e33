"""Turns of the event loop that matches may not fill alone: work that finds its turn long waits for a coming one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Final

LONG_SECONDS: Final = 0.005
"""Once matches have worked so long in one turn, no more work of theirs begins in it."""


class LoopTurns:
    """The turns of the loop, each measured in seconds from its first piece of work. `now`: seconds of any clock that
    goes on while work is done."""

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        self._now = now
        self._began: float | None = None
        self._waiting: deque[asyncio.Event] = deque()
        self._is_end_due = False

    def is_long(self) -> bool:
        """Ask before a piece of work: True where it must `wait`. Measures a new turn from the first call on."""
        return bool(self._waiting) or self._has_been_long()

    async def wait(self) -> None:
        """Return in a coming turn that is not long yet, in the order of the calls. If cancelled, its place is free."""
        turn = asyncio.Event()
        self._waiting.append(turn)
        try:
            while True:
                self._look_out()
                await turn.wait()
                if not self._has_been_long():
                    return
                turn.clear()
        finally:
            self._waiting.remove(turn)

    def _has_been_long(self) -> bool:
        now = self._now()
        if self._began is None:
            self._began = now
            self._look_out()
        return now - self._began > LONG_SECONDS

    def _look_out(self) -> None:
        if not self._is_end_due:
            self._is_end_due = True
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        """End a turn: all who wait look in their order if the next one has room for them."""
        self._is_end_due, self._began = False, None
        for turn in self._waiting:
            turn.set()
