"""Token buckets."""

from __future__ import annotations

from protocol.buckets import TokenBucket
from protocol.limits import Bucket


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


def test_a_steady_double_of_the_rate_is_refused_but_no_flood() -> None:
    bucket = TokenBucket(Bucket(5, 20), 0.0)
    taken = sum(bucket.take(tick / 10) for tick in range(10_000))
    assert 4900 < taken < 5100
    assert not bucket.is_flooded(10)


def test_a_hundred_times_the_rate_is_a_flood_within_a_second() -> None:
    bucket = TokenBucket(Bucket(40, 80), 0.0)
    flooded = next(tick for tick in range(5000) if not bucket.take(tick / 1000) and bucket.is_flooded(10))
    assert flooded < 1000
