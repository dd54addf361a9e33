"""Token buckets: how often something may be done."""

from __future__ import annotations

from protocol.limits import Bucket


class TokenBucket:
    """A bucket that starts full. Times are seconds of any clock that does not go backwards."""

    def __init__(self, bucket: Bucket, now: float) -> None:
        self._bucket = bucket
        self._tokens = float(bucket.burst)
        self._then = now
        self.overflow = 0.0

    def take(self, now: float) -> bool:
        """Take a token if there is one.

        `overflow` counts those refused and is forgiven at the bucket's own rate, so that only somebody who keeps on
        asking much faster than allowed gathers a large one.
        """
        earned = max(0.0, now - self._then) * self._bucket.rate
        self._then = max(self._then, now)
        self._tokens = min(float(self._bucket.burst), self._tokens + earned)
        self.overflow = max(0.0, self.overflow - earned)
        if self._tokens >= 1:
            self._tokens -= 1
            return True
        self.overflow += 1
        return False

    def is_flooded(self, factor: int) -> bool:
        """More than `factor` whole buckets have been refused of late."""
        return self.overflow > factor * self._bucket.burst
