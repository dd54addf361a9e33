"""Points, segments and exact comparisons of distances, in integers only.

A point is a pair of integers, hundredths of the system's unit (inches, centimetres). Nothing here is rounded,
except in `floor_sqrt`, `ceil_sqrt`, `towards` and `divide`, which say how.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NewType, TypeAlias

Hundredths = NewType("Hundredths", int)
"""A length in hundredths of the system's unit."""

Point: TypeAlias = tuple[int, int]
Segment: TypeAlias = tuple[Point, Point]
Box: TypeAlias = tuple[int, int, int, int]
"""Left, bottom, right, top; all four belong to it."""
Fraction: TypeAlias = tuple[int, int]
"""Numerator and positive denominator: the exact square of a distance."""
Id: TypeAlias = str | int


def cross(origin: Point, a: Point, b: Point) -> int:
    """Return a positive number where b lies left of the ray from origin to a, 0 on its line, negative right of it."""
    return (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0])


def squared(a: Point, b: Point) -> int:
    """Return the square of the distance of two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return dx * dx + dy * dy


def within(a: Point, b: Point, distance: int) -> bool:
    """Tell whether two points are at most `distance` apart."""
    return squared(a, b) <= distance * distance


def floor_sqrt(square: int) -> int:
    """Return the square root, rounded down. ValueError below 0."""
    return isqrt(square)


def ceil_sqrt(square: int) -> int:
    """Return the square root, rounded up; 0 below 0."""
    return isqrt(square - 1) + 1 if square > 0 else 0


def divide(numerator: int, denominator: int) -> int:
    """Return the nearest integer to a quotient; a half goes up. The denominator is positive."""
    return (2 * numerator + denominator) // (2 * denominator)


def towards(start: Point, goal: Point, distance: int) -> Point:
    """Return the point `distance` from start on the way to goal, not beyond it.

    Each coordinate is cut towards start, so that the result is never farther than `distance`; it may lie up to one
    hundredth off the straight line.
    """
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    square = dx * dx + dy * dy
    if square <= distance * distance:
        return goal
    x = isqrt(dx * dx * distance * distance // square)
    y = isqrt(dy * dy * distance * distance // square)
    return start[0] + (x if dx > 0 else -x), start[1] + (y if dy > 0 else -y)


def on_ray(start: Point, through: Point, distance: int) -> Point:
    """Return the point `distance` from start in the direction of another point, beyond it where that is nearer, each
    coordinate cut towards start; start itself where both are the same point."""
    times = 1 if squared(start, through) > distance * distance else distance + 1
    dx, dy = through[0] - start[0], through[1] - start[1]
    return towards(start, (start[0] + dx * times, start[1] + dy * times), distance)


def on_segment(p: Point, a: Point, b: Point) -> bool:
    """Tell whether p is a point of the closed segment."""
    return (
        cross(a, b, p) == 0
        and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    )


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Tell whether two closed segments have a common point; touching ends and overlaps count."""
    ax, ay = a
    cx, cy = c
    dx, dy, ex, ey, fx, fy = b[0] - ax, b[1] - ay, d[0] - cx, d[1] - cy, cx - ax, cy - ay
    c_side = dx * fy - dy * fx
    d_side = c_side + dx * ey - dy * ex
    if (c_side > 0 and d_side > 0) or (c_side < 0 and d_side < 0):
        return False
    a_side = ey * fx - ex * fy
    b_side = a_side + ex * dy - ey * dx
    if (a_side > 0 and b_side > 0) or (a_side < 0 and b_side < 0):
        return False
    if c_side or d_side or a_side or b_side:
        return True
    return boxes_meet(box_between(a, b), box_between(c, d))


def point_to_segment(p: Point, a: Point, b: Point) -> Fraction:
    """Return the square of the distance of a point from a closed segment, exact."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    fx, fy = p[0] - a[0], p[1] - a[1]
    along, length = fx * dx + fy * dy, dx * dx + dy * dy
    if along <= 0:
        return fx * fx + fy * fy, 1
    if along >= length:
        return squared(p, b), 1
    aside = dx * fy - dy * fx
    return aside * aside, length


def nearest_on_segment(p: Point, a: Point, b: Point) -> Point:
    """Return the point of a segment nearest to p, each coordinate rounded to the nearest hundredth."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along, length = (p[0] - a[0]) * dx + (p[1] - a[1]) * dy, dx * dx + dy * dy
    if along <= 0:
        return a
    if along >= length:
        return b
    return a[0] + divide(dx * along, length), a[1] + divide(dy * along, length)


def point_nearer(p: Point, a: Point, b: Point, distance: int) -> bool:
    """Tell whether a point is strictly nearer than `distance` to a closed segment."""
    (px, py), (ax, ay), (bx, by) = p, a, b  # `point_to_segment` spelled out: this is an inner loop
    dx, dy, fx, fy, limit = bx - ax, by - ay, px - ax, py - ay, distance * distance
    along, length = fx * dx + fy * dy, dx * dx + dy * dy
    if along <= 0:
        return fx * fx + fy * fy < limit
    if along >= length:
        return (px - bx) * (px - bx) + (py - by) * (py - by) < limit
    aside = dx * fy - dy * fx
    return aside * aside < limit * length


def segments_nearer(a: Point, b: Point, c: Point, d: Point, distance: int) -> bool:
    """Tell whether two closed segments come strictly nearer than `distance` to each other."""
    return distance > 0 and (
        segments_meet(a, b, c, d)
        or point_nearer(a, c, d, distance)
        or point_nearer(b, c, d, distance)
        or point_nearer(c, a, b, distance)
        or point_nearer(d, a, b, distance)
    )


def box_of(points: Sequence[Point]) -> Box:
    """Return the bounding box of one or more points."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def box_between(a: Point, b: Point) -> Box:
    """Return the bounding box of two points."""
    (ax, ay), (bx, by) = a, b
    left, right = (ax, bx) if ax < bx else (bx, ax)
    bottom, top = (ay, by) if ay < by else (by, ay)
    return left, bottom, right, top


def box_around(p: Point, margin: int) -> Box:
    """Return the box of all points within `margin` of one along both axes."""
    x, y = p
    return x - margin, y - margin, x + margin, y + margin


def widened(box: Box, margin: int) -> Box:
    """Return the box with `margin` more on every side."""
    return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin


def middle_of(box: Box) -> Point:
    """Return the middle of a box, rounded down."""
    left, bottom, right, top = box
    return (left + right) // 2, (bottom + top) // 2


def boxes_meet(a: Box, b: Box) -> bool:
    """Tell whether two boxes have a common point."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def in_box(p: Point, box: Box) -> bool:
    """Tell whether a point lies in a box or on its edge."""
    return box[0] <= p[0] <= box[2] and box[1] <= p[1] <= box[3]
