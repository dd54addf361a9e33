"""Deviation of dice from a uniform distribution, in standard deviations."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Final

LIMIT: Final = 3.09
"""Of chi-square: p between 0.001 and 0.999."""
BIAS: Final = 3.29
"""Of a mean, whichever way it leans: p above 0.001."""


def deviation(seen: Counter[int], cells: int, total: int) -> float:
    """Return the deviation of chi-square from its mean (Wilson and Hilferty 1931)."""
    wanted = total / cells
    square = sum((seen[cell] - wanted) ** 2 for cell in range(cells)) / wanted
    freedom = cells - 1
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def lean(sum_of_faces: int, dice: int, sides: int = 6) -> float:
    """Return the deviation of the sum of dice above its mean; 0 without dice."""
    if not dice:
        return 0.0
    return (sum_of_faces - dice * (sides + 1) / 2) / sqrt(dice * (sides * sides - 1) / 12)
