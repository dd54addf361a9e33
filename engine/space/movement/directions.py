"""Obstacles around a point, sorted once by the directions in which a straight way from it may meet them.

A direction may be given an obstacle that its way does not meet, never lack one that it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import asin, atan2, ceil, floor, pi, sqrt
from typing import Final, TypeVar

from engine.space.movement.moves import Way
from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import Scenery
from engine.space.vectors.points import Point, Segment, point_nearer

T = TypeVar("T")

COUNT: Final = 48
"""The number of directions, evenly spaced and counted counter-clockwise from that of greater x."""
DIRECTION_NUMBERS: Final = tuple(range(COUNT))
_ROUND: Final = DIRECTION_NUMBERS * 3
_STEPS: Final = COUNT / (2 * pi)
_SLACK: Final = 4
"""Hundredths: the ends of ways are whole numbers, and lie a little beside their direction."""
_AIM: Final = 0.01
"""A part of the step from one direction to the next."""


def ways_around(way: Way, start: Point, allowance: int) -> list[Way]:
    """Return the way in each direction with what it may meet there."""
    scenery, radius = way.scenery, way.radius

    def of_base(base: Base) -> Iterable[int]:
        return facing_bases(start, (base,), radius, allowance)

    # an area that holds the start is left freely
    met = [area for area in scenery.areas if area.impassable or not area.holds(start)]
    areas = by_direction(met, lambda area: facing_edges(start, area.edges, radius if area.impassable else 0, allowance))
    barriers = by_direction(scenery.barriers, lambda barrier: facing_edges(start, barrier.edges, 0, allowance))
    stopping, passing = by_direction(way.stopping, of_base), by_direction(way.passing, of_base)
    width, height = scenery.width, scenery.height
    return [
        Way(Scenery(width, height, tuple(a), tuple(b)), radius, way.beyond, tuple(s), tuple(p))
        for a, b, s, p in zip(areas, barriers, stopping, passing, strict=True)
    ]


def by_direction(things: Iterable[T], facing: Callable[[T], Iterable[int]]) -> list[list[T]]:
    """Return, for each direction, the things that a way in it may meet, in their order; `facing` gives those of one
    thing."""
    rows: list[list[T]] = [[] for _ in DIRECTION_NUMBERS]
    for thing in things:
        for number in facing(thing):
            rows[number].append(thing)
    return rows


def facing_bases(start: Point, bases: Iterable[Base], radius: int, allowance: int) -> set[int]:
    """Return the directions in which a base of this radius may meet one of these bases before the allowance is used
    up."""
    found: set[int] = set()
    for base in bases:
        dx, dy, reach = base.at[0] - start[0], base.at[1] - start[1], base.radius + radius + TOUCH + _SLACK
        square = dx * dx + dy * dy
        if square <= reach * reach:
            return set(DIRECTION_NUMBERS)
        if square <= (allowance + reach) ** 2:
            middle, half = atan2(dy, dx), asin(reach / sqrt(square))
            found.update(_between(middle - half, middle + half))
    return found


def facing_edges(start: Point, edges: Iterable[Segment], margin: int, allowance: int) -> set[int]:
    """Return the directions that may come nearer than `margin` to one of these edges before the allowance is used
    up."""
    found: set[int] = set()
    for edge in edges:
        if point_nearer(start, *edge, allowance + margin + _SLACK):
            angles = angles_of(start, edge, margin)
            if angles is None:
                return set(DIRECTION_NUMBERS)
            found.update(_between(*angles))
    return found


def angles_of(start: Point, edge: Segment, margin: int) -> tuple[float, float] | None:
    """Return the two angles, in radians, between which lies all that is nearer than `margin` to an edge (a little
    more); None where that is all around."""
    (x, y), (c, d), reach = start, edge, margin + _SLACK
    if point_nearer(start, c, d, reach):
        return None
    cx, cy, dx, dy = c[0] - x, c[1] - y, d[0] - x, d[1] - y
    # an edge is seen at less than 180 degrees
    turn = atan2(cx * dy - cy * dx, cx * dx + cy * dy)
    one, other = asin(reach / sqrt(cx * cx + cy * cy)), asin(reach / sqrt(dx * dx + dy * dy))
    first = atan2(cy, cx)
    return first + min(-one, turn - other), first + max(one, turn + other)


def _between(low: float, high: float) -> Sequence[int]:
    first, last = ceil(low * _STEPS - _AIM), floor(high * _STEPS + _AIM)
    start = first % COUNT
    return _ROUND[start : start + last - first + 1]
