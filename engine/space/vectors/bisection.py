"""Where something begins along a way that is met from there on, by halving."""

from __future__ import annotations

from collections.abc import Callable


def first_met(met: Callable[[int], bool], limit: int, before: int = 0) -> int:
    """The first distance after `before`, where nothing is met, up to `limit`, where it is met for certain."""
    after = limit
    while after - before > 1:
        middle = (before + after) // 2
        if met(middle):
            after = middle
        else:
            before = middle
    return after
