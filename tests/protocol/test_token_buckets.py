"""Token buckets."""

from __future__ import annotations

import pytest

from protocol.limits import Bucket, Limits
from protocol.token_buckets import TokenBucket

LIMITS = Limits()


def test_a_burst_then_the_rate() -> None:
    bucket = TokenBucket(Bucket(5, 20), 100.0)
    assert sum(bucket.take(100.0) for _ in range(30)) == 20
    assert sum(bucket.take(101.0) for _ in range(30)) == 5
    assert sum(bucket.take(1000.0) for _ in range(30)) == 20


def test_a_clock_that_stands_or_goes_back_earns_nothing() -> None:
    bucket = TokenBucket(Bucket(1, 1), 10.0)
    assert bucket.take(10.0)
    assert not bucket.take(9.0)
    assert not bucket.take(10.5)
    assert bucket.take(11.0)


def test_a_steady_nine_times_the_rate_is_refused_but_no_flood_and_twelve_times_is() -> None:
    for times, flooded in ((9, False), (12, True)):
        bucket = TokenBucket(Bucket(5, 20), 0.0, factor=10)
        taken = sum(bucket.take(tick / (5 * times)) for tick in range(10_000))
        assert taken / (10_000 / (5 * times)) == pytest.approx(5, abs=0.3)
        assert bucket.is_flooded is flooded


@pytest.mark.parametrize("bucket", [LIMITS.intents, LIMITS.details, LIMITS.chat, LIMITS.frames])
def test_a_thousand_a_second_are_a_flood_before_a_hundred_have_come(bucket: Bucket) -> None:
    pours = TokenBucket(bucket, 0.0, LIMITS.overflow_factor)
    flooded = next(tick for tick in range(1000) if not pours.take(tick / 1000) and pours.is_flooded)
    assert flooded < 110
