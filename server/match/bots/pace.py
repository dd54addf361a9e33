"""The pace of the bots of one match: how long each waits before it acts, so that people can follow."""

from __future__ import annotations

import asyncio
from typing import Final

from server.runtime.clock import Clock, set_or_due

ANSWERING: Final = 0.4
"""Seconds that a bot waits at most before it answers a question: others wait for that."""


class ActPace:
    """Pause before each act, in `seconds`, which may change; none of the rules. `fixed`: it is this, whatever the
    players wish."""

    def __init__(self, clock: Clock, seconds: float, fixed: float | None = None) -> None:
        self.seconds = seconds
        self._clock = clock
        self._fixed = fixed
        self._hurried = asyncio.Event()

    async def wait(self, *, is_turn: bool) -> None:
        """Return when the next act may come, or answer where it is no turn."""
        seconds = self.seconds if is_turn else min(self.seconds, ANSWERING)
        if self._fixed is not None:
            seconds = self._fixed
        if seconds <= 0:
            await self._clock.sleep(0)
            return
        self._hurried.clear()
        await set_or_due(self._hurried, self._clock, self._clock.now() + seconds)

    def hurry(self) -> None:
        """Let the acts that are waited for come at once."""
        self._hurried.set()
