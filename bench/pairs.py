"""Pairs of measurements of two commits in turn: ratio, median, interval, verdict, and the table for people."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

KEPT: Final = Path(__file__).with_name("pairs.jsonl")
MOST: Final = 1.05
"""The median of B / A that still passes."""

Name = Literal["A", "B"]


class Turn(msgspec.Struct, frozen=True):
    """One measurement of a commit: seconds of CPU (user and system) of the server's process, and the intents that it
    answered meanwhile."""

    cpu: float
    intents: int

    @property
    def cost(self) -> float:
        """Microseconds of CPU an intent."""
        return self.cpu / self.intents * 1e6


def total(turns: Sequence[Turn]) -> Turn:
    """Add up several measurements of one commit."""
    return Turn(sum(turn.cpu for turn in turns), sum(turn.intents for turn in turns))


class Pair(msgspec.Struct, frozen=True):
    """Measurements of both commits in turn, span by span; `first` had the first."""

    first: Name
    a: Turn
    b: Turn

    @property
    def ratio(self) -> float:
        """B / A of the CPU an intent."""
        return self.b.cost / self.a.cost


class Comparison(msgspec.Struct, frozen=True):
    """One line of pairs.jsonl; `a` and `b` are commits."""

    a: str
    b: str
    date: str
    machine: str
    tables: int
    pairs: tuple[Pair, ...]

    @property
    def median(self) -> float:
        """The median of B / A."""
        return statistics.median(pair.ratio for pair in self.pairs)

    @property
    def interval(self) -> tuple[float, float]:
        """The lowest and the highest B / A."""
        ratios = [pair.ratio for pair in self.pairs]
        return min(ratios), max(ratios)

    @property
    def fails(self) -> bool:
        """True where B costs too much: the median is above 1.05 and the whole interval above 1."""
        return self.median > MOST and self.interval[0] > 1


def coverage(pairs: int) -> float:
    """Return the share of comparisons whose interval holds the true median, whatever the distribution: it lies outside
    only where all pairs fall on one side of it, which happens with chance 1/2 each."""
    return 1 - 2 * 0.5**pairs


def table(found: Comparison) -> str:
    """Format the pairs, their median with its interval, and the verdict."""
    head = f"Server CPU (user and system) of an answered intent at {found.tables} tables, microseconds"
    lines = [head, f"{'pair':>4}{'first':>7}{'A':>10}{'B':>10}{'B / A':>9}"]
    for number, pair in enumerate(found.pairs, 1):
        lines.append(f"{number:>4}{pair.first:>7}{pair.a.cost:>10.1f}{pair.b.cost:>10.1f}{pair.ratio:>9.3f}")
    low, high = found.interval
    count = len(found.pairs)
    lines.append(
        f"B / A: median {found.median:.3f}, interval {low:.3f} to {high:.3f} "
        f"(lowest and highest of {count} {'pair' if count == 1 else 'pairs'}: {coverage(count):.0%} coverage, "
        "whatever the distribution)"
    )
    return "\n".join([*lines, verdict(found)])


def verdict(found: Comparison) -> str:
    """Return one sentence: passed, passed for want of certainty, or failed."""
    if found.fails:
        return f"FAILED: the median is above {MOST} and the whole interval above 1."
    if found.median > MOST:
        return f"Passed, but not surely: the median is above {MOST}, and the interval reaches down to 1. Measure again."
    return f"Passed: the median is not above {MOST}."


def keep(found: Comparison, path: Path = KEPT) -> None:
    """Append a comparison to pairs.jsonl."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(found) + b"\n")
