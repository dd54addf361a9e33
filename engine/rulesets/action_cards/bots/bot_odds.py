"""Odds of dice as a bot estimates them: close enough to choose by, never used by the rules."""

from __future__ import annotations

from functools import lru_cache
from math import erf, sqrt

MEAN = 3.5
VARIANCE = 35 / 12


@lru_cache(maxsize=8192)
def expected_kills(dice: int, number: int, figures: int) -> float:
    """Return the average number of `figures` that so many D6 remove, at `number` points each."""
    if dice <= 0 or figures <= 0 or number <= 0:
        return 0.0
    mean, spread = MEAN * dice, sqrt(2 * VARIANCE * dice)
    kills = 0.0
    for falls in range(1, figures + 1):
        wanted = falls * number
        if wanted > 6 * dice:
            break
        kills += 0.5 * (1 - erf((wanted - 0.5 - mean) / spread))
    return kills


def success(dice: int) -> float:
    """Return the chance of at least one 6."""
    return 1.0 - (5 / 6) ** dice
