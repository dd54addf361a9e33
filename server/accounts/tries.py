"""How often somebody may guess: codes are short, so that tries are few, for each account and for each address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.token_buckets import bucket_each
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.limits import Bucket
    from server.runtime.clock import Clock


class Tries:
    """A bucket for each account and each address that has tried of late."""

    def __init__(self, clock: Clock, rate: Bucket) -> None:
        self._clock = clock
        self._buckets = bucket_each(rate)

    def take(self, code: str, *guessers: str) -> None:
        """Count a try of these guessers. Raises Refused(code) where one of them has tried too often."""
        now = self._clock.now()
        taken = [self._buckets.of(guesser, now).take(now) for guesser in guessers]
        if not all(taken):
            raise Refused(code)
