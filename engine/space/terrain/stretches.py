"""The stretches of a straight way inside areas, for ground that costs more to cross."""

from __future__ import annotations

from itertools import pairwise

from engine.space.terrain.features import PreparedArea, PreparedBarrier
from engine.space.vectors.bisection import first_met
from engine.space.vectors.points import Point, box_between, boxes_meet, divide, floor_sqrt, squared, towards


def stretches(start: Point, end: Point, area: PreparedArea) -> tuple[tuple[int, int], ...]:
    """Return the stretches of the way inside the area, from and to in hundredths along it, each end to the nearest
    hundredth."""
    if not boxes_meet(box_between(start, end), area.box):
        return ()
    length = floor_sqrt(squared(start, end))
    if not length:
        return ()
    marks = sorted({0, length, *_meetings(start, end, length, area)})
    inner = [(low, high) for low, high in pairwise(marks) if area.holds(_middle(start, end, low + high, 2 * length))]
    joined: list[tuple[int, int]] = []
    for low, high in inner:
        if joined and joined[-1][1] == low:
            joined[-1] = joined[-1][0], high
        else:
            joined.append((low, high))
    return tuple(joined)


def entered_after(start: Point, end: Point, area: PreparedArea) -> int:
    """Return the distance along a straight way, in hundredths, at which it comes into an area; its length where it does
    not."""
    length = floor_sqrt(squared(start, end))
    return first_met(lambda far: area.holds(p := towards(start, end, far)) or area.pierced_by(start, p), length)


def crossed_after(start: Point, end: Point, barrier: PreparedBarrier) -> int:
    """Return the distance along a straight way, in hundredths, at which it is over a barrier; its length where it is
    not."""
    length = floor_sqrt(squared(start, end))
    return first_met(lambda far: barrier.crossed_by(start, towards(start, end, far)), length)


def length_inside(start: Point, end: Point, area: PreparedArea) -> int:
    """Return how much of a straight way lies inside the area."""
    return sum(high - low for low, high in stretches(start, end, area))


def _meetings(start: Point, end: Point, length: int, area: PreparedArea) -> list[int]:
    """Return how far along the way it crosses edges of the area."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    found: list[int] = []
    for (cx, cy), (ex, ey) in area.edges:
        fx, fy = ex - cx, ey - cy
        unit = dx * fy - dy * fx
        if unit == 0:
            continue
        along = (cx - start[0]) * fy - (cy - start[1]) * fx
        beside = (cx - start[0]) * dy - (cy - start[1]) * dx
        if unit < 0:
            unit, along, beside = -unit, -along, -beside
        if 0 <= along <= unit and 0 <= beside <= unit:
            found.append(divide(length * along, unit))
    return found


def _middle(start: Point, end: Point, numerator: int, denominator: int) -> Point:
    return (
        start[0] + divide((end[0] - start[0]) * numerator, denominator),
        start[1] + divide((end[1] - start[1]) * numerator, denominator),
    )
