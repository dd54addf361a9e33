"""Convex hulls of points and the distances of segments from them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from engine.space.vectors.points import Point, Segment, cross, point_nearer, segments_meet


def hull_of(points: Iterable[Point]) -> tuple[Point, ...]:
    """Return the corners of the convex hull, counter-clockwise from the lowest x, without points on its edges.

    One point (however often repeated) gives one corner, points on a line give their two ends. ValueError without any.
    """
    ordered = sorted(set(points))
    if not ordered:
        raise ValueError("a hull needs at least one point")
    if len(ordered) == 1:
        return (ordered[0],)
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return (*lower[:-1], *upper[:-1])


def _chain(ordered: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for p in ordered:
        while len(chain) > 1 and cross(chain[-2], chain[-1], p) <= 0:
            chain.pop()
        chain.append(p)
    return chain


def edges_of(corners: tuple[Point, ...]) -> tuple[Segment, ...]:
    """Return the edges of a hull or outline, the closing one last; one corner gives an edge of no length."""
    if len(corners) < 3:
        return ((corners[0], corners[-1]),)
    return (*pairwise(corners), (corners[-1], corners[0]))


def in_hull(p: Point, hull: tuple[Point, ...]) -> bool:
    """Tell whether a point lies in a hull of three or more corners; its boundary belongs to it."""
    return len(hull) > 2 and all(cross(a, b, p) >= 0 for a, b in edges_of(hull))


def point_near_hull(p: Point, hull: tuple[Point, ...], distance: int) -> bool:
    """Tell whether a point is strictly nearer than `distance` to a hull; inside, that is nearer than anything above
    0."""
    return distance > 0 and (in_hull(p, hull) or any(point_nearer(p, a, b, distance) for a, b in edges_of(hull)))


def segment_near_hull(a: Point, b: Point, hull: tuple[Point, ...], distance: int) -> bool:
    """Tell whether the segment from a to b comes strictly nearer than `distance` to a hull."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    limit = distance * distance * length
    if not length:
        return point_near_hull(a, hull, distance)
    base = dx * ay - dy * ax
    sides = [dx * y - dy * x - base for x, y in hull]
    low, high = min(sides), max(sides)
    if (low >= 0 and low * low >= limit) or (high <= 0 and high * high >= limit):
        return False  # the whole hull lies on one side, and far enough, of the segment's line
    start, end = dx * ax + dy * ay, dx * bx + dy * by
    places = [dx * x + dy * y for x, y in hull]
    first, last = min(places), max(places)
    if low <= 0 <= high and start <= first and last <= end:
        return distance > 0  # the hull lies across the line, between the ends of the segment
    # Otherwise they are nearest at a corner beside the segment, or at an end of the segment, or they cross.
    for side, place in zip(sides, places, strict=True):
        if side * side < limit and start <= place <= end:
            return True
    if (first <= start and point_near_hull(a, hull, distance)) or (last >= end and point_near_hull(b, hull, distance)):
        return True
    return distance > 0 and low <= 0 <= high and any(segments_meet(a, b, c, d) for c, d in edges_of(hull))
