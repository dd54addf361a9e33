"""Square lattices of offsets, nearest first: the candidates of every search for a place. No trigonometry, no floats."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from engine.space.vectors import Point

LARGEST: Final = 20_000
"""No lattice has more offsets: a search widens its step instead."""


@lru_cache(maxsize=64)
def offsets(step: int, radius: int) -> tuple[Point, ...]:
    """The multiples of `step` at most `radius` from (0, 0), by distance, then x, then y; (0, 0) first.

    Where that would be more than `LARGEST` offsets the step is widened until it is not.
    """
    while 3 * (radius // step) ** 2 > LARGEST:
        step += max(1, step // 4)
    reach = radius - radius % step
    grid = range(-reach, reach + 1, step)
    found = [(x * x + y * y, x, y) for x in grid for y in grid if x * x + y * y <= radius * radius]
    return tuple([(x, y) for _, x, y in sorted(found)])


@lru_cache(maxsize=64)
def ring(step: int, inner: int, radius: int) -> tuple[Point, ...]:
    """Those of `offsets` that are at least `inner` from (0, 0)."""
    return tuple([(x, y) for x, y in offsets(step, radius) if x * x + y * y >= inner * inner])


def nearest_place(wish: Point, accepts: Callable[[Point], bool], step: int, radius: int) -> Point | None:
    """The point nearest to a wished one that is accepted, on a lattice of `step` around it, at most `radius` away."""
    x, y = wish
    for dx, dy in offsets(step, radius):
        if accepts((x + dx, y + dy)):
            return x + dx, y + dy
    return None
