"""Seats of a scenario in one of its forms: how many, on which sides, with equal points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.content.content_files import ContentFault
from engine.core.content.toml_source import Loc

FEWEST: Final = 2
MOST: Final = 6
MOST_OF_A_SIDE: Final = 3
FAIR: Final = 5
"""Sides that bring their forces have equal points within so many percent."""


def seat_faults(loc: Loc, seats: int, sides: Sequence[int], points: Sequence[int] = ()) -> Iterator[ContentFault]:
    """Yield what keeps seats from being a game: two sides of one to three seats each, with equal points where those are
    given, or three to six seats each for themselves (no sides)."""
    if not FEWEST <= seats <= MOST:
        yield ContentFault(loc, f"a scenario has {FEWEST} to {MOST} seats, not {seats}")
    if not sides:
        if seats <= FEWEST:
            yield ContentFault((*loc, "sides"), f"at least {FEWEST + 1} play each for themselves")
        return
    sizes = Counter(sides)
    if set(sizes) != {0, 1} or max(sizes.values()) > MOST_OF_A_SIDE:
        yield ContentFault((*loc, "sides"), f"there are two sides, 0 and 1, of at most {MOST_OF_A_SIDE} seats")
        return
    totals = [0, 0]
    for own, side in zip(points, sides, strict=False):
        totals[side] += own
    if 100 * (max(totals) - min(totals)) > FAIR * max(totals):
        yield ContentFault((*loc, "points"), f"the sides have {totals[0]} and {totals[1]}: within {FAIR} % is fair")
