"""Token buckets: bounds on how often something may be done."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from protocol.limits import Bucket

MOST_KEYS: Final = 10_000
LOOKS: Final = 2
"""Records that are looked at for each that is made."""


class TokenBucket:
    """Bucket that starts full. Times are seconds of any clock that does not go backwards.

    Who asks more than `factor` times as often as the bucket allows is a flood.
    """

    def __init__(self, bucket: Bucket, now: float, factor: int = 1) -> None:
        self._burst, self._rate = float(bucket.burst), bucket.rate
        self._factor = factor
        self.tokens = self._burst
        """Tokens in the bucket, as of the last call."""
        self._then = now
        self.overflow = 0.0

    def take(self, now: float, tokens: int = 1) -> bool:
        """Take so many tokens if they are there.

        `overflow` counts those refused and is forgiven at `factor` times the bucket's rate, so that only somebody who
        keeps on asking much faster than allowed gathers a large one.
        """
        if now > self._then:
            earned = (now - self._then) * self._rate
            self._then = now
            self.tokens = min(self._burst, self.tokens + earned)
            if self.overflow:
                self.overflow = max(0.0, self.overflow - earned * self._factor)
        if self.tokens >= tokens:
            self.tokens -= tokens
            return True
        self.overflow += tokens
        return False

    def is_forgiven(self, now: float) -> bool:
        """Return True where the bucket is full again, as if nothing had ever been taken."""
        self.take(now, 0)
        return self.tokens >= self._burst and not self.overflow

    @property
    def is_flooded(self) -> bool:
        """True where a whole bucket has been refused, faster than `factor` times the rate."""
        return self.overflow > self._burst


class Forgiving(Protocol):
    """Record that need not be remembered for ever."""

    def is_forgiven(self, now: float) -> bool: ...


F = TypeVar("F", bound=Forgiving)


class PerKey(Generic[F]):
    """Memory with a record for each key (an address, a person), made when it is first asked for; at most `most` of
    them.

    For each that is made, LOOKS of the others are looked at in turn, and forgotten where they are forgiven, so that
    hardly more than twice those are kept that are not. Where there are `most`, one is forgotten all the same: better a
    memory that is short than one that can be filled. A record that somebody holds is found again.
    """

    def __init__(self, make: Callable[[float], F], most: int = MOST_KEYS) -> None:
        self._make = make
        self._most = most
        self._known: OrderedDict[str, F] = OrderedDict()
        """In the order in which they are looked at."""
        self._forgotten: WeakValueDictionary[str, F] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._known)

    def of(self, key: str, now: float) -> F:
        """Return the record of this key."""
        found = self._known.get(key)
        if found is None:
            self._look(now)
            found = self._forgotten.pop(key, None)
            if found is None:
                found = self._make(now)
            self._known[key] = found
        return found

    def _look(self, now: float) -> None:
        """Forget some that are forgiven, and make room for one."""
        for _ in range(min(LOOKS, len(self._known))):
            key, found = self._known.popitem(last=False)
            if found.is_forgiven(now) or len(self._known) + 1 >= self._most:
                self._forgotten[key] = found
            else:
                self._known[key] = found


def bucket_per_key(bucket: Bucket, most: int = MOST_KEYS) -> PerKey[TokenBucket]:
    """Make a memory with a token bucket for each key."""
    return PerKey(lambda now: TokenBucket(bucket, now), most)
