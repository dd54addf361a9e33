"""Bisection: the place along a way from which on a condition holds."""

from __future__ import annotations

from collections.abc import Callable


def first_met(met: Callable[[int], bool], limit: int, before: int = 0) -> int:
    """Find the first distance after `before`, where nothing is met, up to `limit`, where it is certainly met."""
    after = limit
    while after - before > 1:
        middle = (before + after) // 2
        if met(middle):
            after = middle
        else:
            before = middle
    return after
