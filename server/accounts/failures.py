"""Failures of late: so many within so many seconds, then no more tries until the oldest is forgotten."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from protocol.token_buckets import Remembered

if TYPE_CHECKING:
    from server.runtime.clock import Clock


class _Lately:
    """When one of them has failed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.times: deque[float] = deque()

    def is_forgiven(self, now: float) -> bool:
        while self.times and now - self.times[0] >= self._seconds:
            self.times.popleft()
        return not self.times


class Failures:
    """Counted by name or address. A try counts as failed from its beginning until it is known to be good, so that many
    at once get no further than one after another."""

    def __init__(self, clock: Clock, most: int, seconds: float) -> None:
        self._clock = clock
        self._most = most
        self._known = Remembered(lambda _: _Lately(seconds))

    def may_try(self, who: str) -> bool:
        """Whether there have been few enough."""
        return len(self._of(who).times) < self._most

    def begin(self, who: str) -> None:
        """A try, failed until it is taken back."""
        self._of(who).times.append(self._clock.now())

    def take_back(self, who: str) -> None:
        """The newest was none."""
        lately = self._of(who)
        if lately.times:
            lately.times.pop()

    def _of(self, who: str) -> _Lately:
        now = self._clock.now()
        lately = self._known.of(who, now)
        lately.is_forgiven(now)
        return lately
