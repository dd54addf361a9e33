"""How often somebody may guess: codes are short, so that tries are few, for each account and for each address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.buckets import TokenBucket
from server.refusals import Refused

if TYPE_CHECKING:
    from protocol.limits import Bucket
    from server.clock import Clock

MOST_GUESSERS: Final = 10_000


class Tries:
    """A bucket for each account and each address that has tried of late."""

    def __init__(self, clock: Clock, rate: Bucket) -> None:
        self._clock = clock
        self._rate = rate
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, code: str, *guessers: str) -> None:
        """Count a try of these guessers. Raises Refused(code) where one of them has tried too often."""
        now = self._clock.now()
        taken = [self._bucket(guesser, now).take(now) for guesser in guessers]
        if not all(taken):
            raise Refused(code)

    def _bucket(self, guesser: str, now: float) -> TokenBucket:
        if guesser not in self._buckets and len(self._buckets) >= MOST_GUESSERS:
            # the one longest known: to be forgotten early, one must come from ten thousand other addresses first
            del self._buckets[next(iter(self._buckets))]
        return self._buckets.setdefault(guesser, TokenBucket(self._rate, now))
