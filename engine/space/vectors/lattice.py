"""Square lattices of offsets, nearest first: the candidates of every search for a place. No trigonometry, no floats."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import islice
from math import isqrt
from operator import itemgetter
from typing import Final

from engine.space.vectors.points import Point

LARGEST: Final = 20_000
"""About the most offsets of a lattice (hardly a tenth more): a search widens its step instead."""


def offsets(step: int, radius: int) -> Iterator[Point]:
    """Yield the multiples of `step` at most `radius` from (0, 0), by distance, then x, then y; (0, 0) first.

    Where that would be many more than `LARGEST` offsets the step is widened until it is not. They are made one after
    the other and not kept: most searches end at one of the first, and a lattice for each would be megabytes.
    """
    return ring(step, 0, radius)


def _steps() -> list[tuple[int, int, int]]:
    """Return the offsets of `step` 1 with their squares, as far as any lattice reaches, in order."""
    most = isqrt(LARGEST // 3)
    grid = range(-most, most + 1)
    return sorted([(square, x, y) for x in grid for y in grid if (square := x * x + y * y) < (most + 1) ** 2])


# made on import: it takes 9 ms, which whoever asks first would wait for
_STEPS: Final = _steps()


def ring(step: int, inner: int, radius: int) -> Iterator[Point]:
    """Yield those of `offsets` that are at least `inner` from (0, 0)."""
    while 3 * (radius // step) ** 2 > LARGEST:
        step += max(1, step // 4)
    square = step * step
    first = bisect_left(_STEPS, -(-inner * inner // square), key=itemgetter(0))
    end = bisect_right(_STEPS, radius * radius // square, key=itemgetter(0))
    return ((x * step, y * step) for _, x, y in islice(_STEPS, first, end))


def places_near(wish: Point, step: int, radius: int) -> Iterator[Point]:
    """Yield the points of a lattice of `step` around a wished one, at most `radius` away, the nearest first."""
    x, y = wish
    return ((x + dx, y + dy) for dx, dy in offsets(step, radius))


def nearest_place(wish: Point, accepts: Callable[[Point], bool], step: int, radius: int) -> Point | None:
    """Return the accepted point nearest to a wished one, on a lattice of `step` around it, at most `radius` away; None
    without one."""
    return next(filter(accepts, places_near(wish, step, radius)), None)
