"""The code by which the person's seat passes to another device."""

from __future__ import annotations

import math

from protocol.wire.from_server import SeatCode


class KeptSeatCode:
    """The newest seat code, while it is good. `told` is None without one; `minutes`: for which it is good still, one
    that has begun counted whole."""

    def __init__(self) -> None:
        self.told: SeatCode | None = None
        self.minutes = 0
        self._until = 0.0

    def take(self, told: SeatCode, now: float) -> None:
        """Take a code that came at `now`, in seconds."""
        self.told, self._until = told, now + told.seconds
        self.count(now)

    def count(self, now: float) -> bool:
        """Count the minutes down, and forget the code at their end; return True where they have changed."""
        left = self._until - now if self.told is not None else 0.0
        before, self.minutes = self.minutes, max(math.ceil(left / 60), 0)
        if not self.minutes:
            self.told = None
        return self.minutes != before

    def forget(self) -> None:
        """Drop the code: it was of another seat, or may have been used."""
        self.told, self.minutes = None, 0
