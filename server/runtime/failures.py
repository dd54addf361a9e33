"""Failures within a span of time, each forgotten when the span has passed."""

from __future__ import annotations

from collections import deque


class FailureWindow:
    """Recent failures of one name or address, at most `most` in any `seconds`. Reads no clock."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times: deque[float] = deque()

    def is_forgiven(self, now: float) -> bool:
        """Return True where no failure counts any more."""
        while self._times and now - self._times[0] >= self._seconds:
            self._times.popleft()
        return not self._times

    def is_full(self, now: float) -> bool:
        """Return True where nothing may be tried now."""
        self.is_forgiven(now)
        return len(self._times) >= self._most

    def add(self, now: float) -> None:
        """Count a failure."""
        self._times.append(now)

    def take_back(self) -> None:
        """Count the newest failure no more, if one still counts."""
        if self._times:
            self._times.pop()
