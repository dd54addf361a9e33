"""Counters and histograms as plain numbers: written by one thread, cheap enough for every intent."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

MOST_LABELS: Final = 500
"""Distinct values of a label; further ones count as OTHER, since codes come from rules, and rules from anyone."""
OTHER: Final = "other"

SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BYTES: Final = (100.0, 300.0, 1_000.0, 3_000.0, 10_000.0, 30_000.0, 100_000.0, 300_000.0)


class LabelledCounter:
    """A counter for each value of one label."""

    def __init__(self, name: str, about: str, label: str, values: Sequence[str] = ()) -> None:
        self._name, self._about, self._label = name, about, label
        self._counts = dict.fromkeys(values, 0)

    def add(self, value: str, times: int = 1) -> None:
        """Count up for this value of the label."""
        counts = self._counts
        try:
            counts[value] += times
        except KeyError:
            known = value if len(counts) < MOST_LABELS else OTHER
            counts[known] = counts.get(known, 0) + times

    def get(self, value: str) -> int:
        """Return the count for this value of the label."""
        return self._counts.get(value, 0)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the counts in the form of the Prometheus library."""
        yield counters(self._name, self._about, self._label, self._counts)


class Histogram:
    """Counts of values, in buckets."""

    def __init__(self, name: str, about: str, bounds: tuple[float, ...] = SECONDS) -> None:
        self._name, self._about, self._bounds = name, about, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        self.least = 0
        """Number of further values that were next to nothing."""

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    @property
    def count(self) -> int:
        """Number of values."""
        return self.least + sum(self._counts)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the buckets in the form of the Prometheus library: each holds all values that are not larger than its
        bound."""
        buckets: list[tuple[str, float]] = []
        below = self.least
        for bound, count in zip((*self._bounds, float("inf")), self._counts, strict=True):
            below += count
            buckets.append(("+Inf" if bound == float("inf") else repr(bound), below))
        yield HistogramMetricFamily(self._name, self._about, buckets=buckets, sum_value=self._sum)


class PlainCounter:
    """A counter without labels."""

    def __init__(self, name: str, about: str) -> None:
        self._name, self._about = name, about
        self.count = 0

    def add(self) -> None:
        """Count one more."""
        self.count += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the count in the form of the Prometheus library."""
        yield CounterMetricFamily(self._name, self._about, value=self.count)


def counters(name: str, about: str, label: str, values: Mapping[str, float]) -> CounterMetricFamily:
    """Make a counter with a number for each value of a label, in the form of the Prometheus library."""
    family = CounterMetricFamily(name, about, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family
