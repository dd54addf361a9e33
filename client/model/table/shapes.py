"""Plane geometry for drawing and for hints; the server alone decides what is legal. Lengths in hundredths."""

from __future__ import annotations

import math
from collections.abc import Sequence

from protocol.scene.nodes import Point


def hull(points: Sequence[Point]) -> list[Point]:
    """Return the convex hull, anticlockwise; one or two points stay as they are."""
    unique = sorted(set(points))
    if len(unique) < 3:
        return unique

    def half(ordered: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for p in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(unique) + half(unique[::-1])


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def box_corners(at: Point, facing: int, box: Point) -> list[Point]:
    """Return the corners, anticlockwise, of a rectangle: `box[0]` long along `facing` (degrees), `box[1]` wide."""
    turn = math.radians(facing)
    ax, ay = math.cos(turn) * box[0] / 2, math.sin(turn) * box[0] / 2
    bx, by = -math.sin(turn) * box[1] / 2, math.cos(turn) * box[1] / 2
    corners = ((-ax - bx, -ay - by), (ax - bx, ay - by), (ax + bx, ay + by), (-ax + bx, -ay + by))
    return [(round(at[0] + x), round(at[1] + y)) for x, y in corners]


def contains(outline: Sequence[Point], point: Point) -> bool:
    """Return True if a point is inside a closed outline (even-odd rule)."""
    x, y = point
    inside = False
    for i in range(len(outline)):
        (ax, ay), (bx, by) = outline[i - 1], outline[i]
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def distance_to_segment(p: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = 0.0 if not length else min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length, 0.0), 1.0)
    return math.hypot(p[0] - a[0] - share * dx, p[1] - a[1] - share * dy)


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return True if two segments properly cross."""
    return (_turn(a, b, c) > 0) != (_turn(a, b, d) > 0) and (_turn(c, d, a) > 0) != (_turn(c, d, b) > 0)


def meets_outline(a: Point, b: Point, outline: Sequence[Point], *, line: bool) -> bool:
    """Return True if the segment crosses an outline (an open one if `line`) or begins inside a closed one."""
    first = 1 if line else 0
    if any(crosses(a, b, outline[i - 1], outline[i]) for i in range(first, len(outline))):
        return True
    return not line and contains(outline, a)


def outline_around(points: Sequence[Point], by: float) -> list[tuple[float, float]]:
    """Return the outline at a distance `by` around a convex hull (or around one or two points), corners rounded."""
    if not points:
        return []
    around: list[tuple[float, float]] = []
    steps = 20
    for x, y in points:
        for i in range(steps):
            angle = 2 * math.pi * i / steps
            around.append((x + by * math.cos(angle), y + by * math.sin(angle)))
    return [(x, y) for x, y in hull([(round(x), round(y)) for x, y in around])]


def nearest_allowed(point: Point, start: Point | None, reach: int, regions: Sequence[Sequence[Point]]) -> Point:
    """Return the allowed place nearest to a click, on the way to it from `start`.

    That is the point itself where it may be, else the furthest allowed place on the way to it (inside a region if there
    are any, else within `reach` if that is given), else the start.
    """

    def allowed(p: Point) -> bool:
        if regions:
            return any(contains(region, p) for region in regions)
        return start is None or not reach or (p[0] - start[0]) ** 2 + (p[1] - start[1]) ** 2 <= reach * reach

    if start is None or allowed(point):
        return point
    dx, dy = point[0] - start[0], point[1] - start[1]
    steps = min(max(int(math.hypot(dx, dy) // 5), 1), 2000)
    for i in range(steps, 0, -1):
        candidate = (start[0] + int(dx * i / steps), start[1] + int(dy * i / steps))
        if allowed(candidate):
            return candidate
    return start


def nearest_angle(at: Point, towards: Point, angles: Sequence[int], otherwise: int) -> int:
    """Return the one of `angles` (whole degrees) nearest to the direction from a place to another.

    Returns `otherwise` where there are no angles or no direction.
    """
    if at == towards or not angles:
        return otherwise
    wanted = math.degrees(math.atan2(towards[1] - at[1], towards[0] - at[0]))
    return min(angles, key=lambda angle: abs((angle - wanted + 180) % 360 - 180))
