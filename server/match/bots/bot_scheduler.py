"""The scheduling of bots' acts over all matches, so that people's come between them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

MOST_AT_ONCE: Final = 4
"""Acts of bots that are being carried out, at all matches together. Steps that are stored by one commit are told in one
turn of the loop: with hundreds of bots, a fifth of a second of it while the disk is slow."""


class BotScheduler:
    """Queue of acts. One begins in a turn of the loop, in the order in which they came, and none while `most` of them
    are being carried out."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._most = most
        self._running = 0
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_due = False

    def enter(self, begin: Callable[[], object]) -> None:
        """Queue an act; `begin` is called when its turn comes."""
        self._waiting.append(begin)
        self._go_on()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count an act as being carried out, but for one that has begun and waits for others at its match."""
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            self._go_on()

    def _go_on(self) -> None:
        if self._waiting and not self._is_due and self._running < self._most:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        self._is_due = False
        if self._waiting and self._running < self._most:
            self._waiting.popleft()()
        self._go_on()
