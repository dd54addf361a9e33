"""Statistics of simulated matches, with 95 % intervals by a proper formula each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import comb, exp, inf, log, sqrt
from typing import Final, NamedTuple, TypeVar

import msgspec

K = TypeVar("K", int, str)
Z: Final = 1.96
TAIL: Final = 40
"""Inverse of the part that lies beyond either end of a 95 % interval."""


class PlayedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A simulated match, as it is kept in a line of JSON with its scenario beside it.

    `order`: seats in the order in which their first cards came; `decided`: the decisions of each seat; `out`: those of
    all others after it was out; `cards`: how many were drawn; `cpu`: seconds of a processor to play and verify it;
    `form`: the id of the scenario's form; the last four are those of an Outcome.
    """

    scenario: str
    own: bool
    number: int = msgspec.field(name="match")
    factions: tuple[str, ...]
    winners: tuple[int, ...]
    order: tuple[int, ...]
    why: str
    rows: int = msgspec.field(name="rounds")
    decided: tuple[int, ...]
    out: tuple[int, ...]
    finished: bool
    verified: bool
    best: bool = False
    cards: int = 1
    cpu: float = 0.0
    form: str = ""
    first: int = -1
    zones: tuple[str, ...] = ()
    blow: float = 0.0
    blow_by: str = ""

    @property
    def decisions(self) -> int:
        """Decisions of all seats."""
        return sum(self.decided)


class Share(NamedTuple):
    """A share: `won` of `of`."""

    won: int
    of: int

    @property
    def part(self) -> float:
        """The share as a number; 0 of none."""
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.part
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.part:.0%} ({low:.0%} to {high:.0%})"


def factions(played: Iterable[PlayedMatch]) -> dict[str, Share]:
    """Return how often each faction fulfilled its own condition."""
    return _shares((faction, seat in one.winners) for one in played for seat, faction in enumerate(one.factions))


def seats(played: Iterable[PlayedMatch]) -> dict[int, Share]:
    """Return the same by seat, which is the order of deployment."""
    return _shares((seat, seat in one.winners) for one in played for seat in range(len(one.factions)))


def places(played: Iterable[PlayedMatch]) -> dict[int, Share]:
    """Return the same by the place, from 0, in which a seat's first card came."""
    return _shares((place, seat in one.winners) for one in played for place, seat in enumerate(one.order))


def ratio(shares: Iterable[Share]) -> tuple[float, float, float]:
    """Return the ratio of the best to the worst chances, with its 95 % interval; 1 of no shares, which is any ratio.

    The interval is Katz's, of a ratio of two shares on the scale of logarithms, half a win added to each so that none
    is 0.
    """
    ordered = sorted(shares, key=lambda share: share.part)
    if not ordered:
        return 1.0, 0.0, inf
    worst, best = ordered[0], ordered[-1]
    p, q = (best.won + 0.5) / (best.of + 1), (worst.won + 0.5) / (worst.of + 1)
    spread = Z * sqrt((1 - p) / (p * (best.of + 1)) + (1 - q) / (q * (worst.of + 1)))
    middle = log(p / q)
    return exp(middle), exp(middle - spread), exp(middle + spread)


def median(values: Sequence[int]) -> tuple[int, int, int]:
    """Return the median, with the 95 % interval between two of the values that the binomial distribution gives."""
    ordered = sorted(values)
    n = len(ordered)
    below = accumulate(comb(n, k) for k in range(n))
    rank = max(0, sum(sure * TAIL <= 1 << n for sure in below) - 1)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) // 2, ordered[rank], ordered[n - 1 - rank]


def watching(played: Iterable[PlayedMatch], decisions: int) -> Share:
    """Return in how many matches a seat is out while the others make so many decisions, or more."""
    found = [max(one.out, default=0) >= decisions for one in played]
    return Share(sum(found), len(found))


def busy(played: Iterable[PlayedMatch]) -> dict[str, float]:
    """Return how many decisions each faction makes in a match, in the mean."""
    made: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for one in played:
        for faction, decided in zip(one.factions, one.decided, strict=True):
            made[faction] += decided
            of[faction] += 1
    return {faction: made[faction] / of[faction] for faction in sorted(of)}


def pairs(played: Iterable[PlayedMatch]) -> dict[tuple[str, str], Share]:
    """Return, for matches of two, how often each faction fulfilled its own condition against each other."""
    won: Counter[tuple[str, str]] = Counter()
    of: Counter[tuple[str, str]] = Counter()
    for one in played:
        for seat, faction in enumerate(one.factions if len(one.factions) == 2 else ()):
            key = (faction, one.factions[1 - seat])
            of[key] += 1
            won[key] += seat in one.winners
    return {key: Share(won[key], of[key]) for key in sorted(of)}


def _shares(results: Iterable[tuple[K, bool]]) -> dict[K, Share]:
    won: Counter[K] = Counter()
    of: Counter[K] = Counter()
    for key, is_win in results:
        of[key] += 1
        won[key] += is_win
    return {key: Share(won[key], of[key]) for key in sorted(of)}
