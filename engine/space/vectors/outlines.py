"""Outlines: simple polygons, convex or not, given by their corners in order. Their boundary belongs to them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from engine.space.vectors.hulls import edges_of
from engine.space.vectors.points import (
    Box,
    Point,
    Segment,
    box_of,
    boxes_meet,
    cross,
    divide,
    nearest_on_segment,
    on_segment,
    point_nearer,
    segments_meet,
    segments_nearer,
    squared,
)

Outline: TypeAlias = tuple[Point, ...]


def doubled_area(outline: Outline) -> int:
    """Return twice the signed area: positive where the corners run counter-clockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in edges_of(outline))


def checked(outline: Outline) -> Outline:
    """Return the outline counter-clockwise. ValueError unless it is a simple polygon: no corner twice, no edges that
    cross."""
    if len(outline) < 3 or len(set(outline)) != len(outline):
        raise ValueError(f"an outline needs three or more different corners: {outline}")
    edges = edges_of(outline)
    count = len(edges)
    for i, (a, b) in enumerate(edges):
        following = edges[(i + 1) % count][1]
        if cross(a, b, following) == 0 and on_segment(following, a, b):
            raise ValueError(f"an outline turns back on itself at {b}: {outline}")
        for j in range(i + 2, count):
            if (j + 1) % count != i and segments_meet(a, b, *edges[j]):
                raise ValueError(f"the edges of an outline from {a} and {edges[j][0]} meet: {outline}")
    area = doubled_area(outline)
    if area == 0:
        raise ValueError(f"an outline without area: {outline}")
    return outline if area > 0 else outline[::-1]


def outline_of(box: Box) -> Outline:
    """Return the corners of a box."""
    left, bottom, right, top = box
    return (left, bottom), (right, bottom), (right, top), (left, top)


def octagon(middle: Point, wide: int, high: int) -> Outline:
    """Return eight corners around a middle, for woods and the like; `wide`, `high`: half its size."""
    x, y = middle
    near, far = wide * 2 // 5, high * 2 // 5
    around = [(-near, -high), (near, -high), (wide, -far), (wide, far)]
    return tuple((x + dx, y + dy) for dx, dy in (*around, *((-dx, -dy) for dx, dy in around)))


def is_convex(outline: Outline) -> bool:
    """Tell whether a counter-clockwise outline has no corner that points inwards."""
    edges = edges_of(outline)
    return all(cross(*edge, edges[i - len(edges) + 1][1]) >= 0 for i, edge in enumerate(edges))


def inside(p: Point, outline: Sequence[Point]) -> int:
    """Return 1 for a point strictly inside, 0 on the boundary, -1 outside."""
    x, y = p
    left = False
    ax, ay = outline[-1]
    for bx, by in outline:
        if (ay > y) != (by > y):
            turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if turn == 0:
                return 0
            if (turn > 0) == (by > ay):
                left = not left
        elif (ay == y == by and min(ax, bx) <= x <= max(ax, bx)) or (ax == x and ay == y) or (bx == x and by == y):
            return 0
        ax, ay = bx, by
    return 1 if left else -1


def contains(p: Point, outline: Sequence[Point]) -> bool:
    """Tell whether a point lies in an outline; its boundary counts as inside."""
    return inside(p, outline) >= 0


def through_interior(a: Point, b: Point, outline: Outline) -> bool:
    """Tell whether the segment has a point strictly inside; one that only touches corners or runs along edges has
    not."""
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    sides = [dx * (y - ay) - dy * (x - ax) for x, y in outline]
    if (dx or dy) and (min(sides) >= 0 or max(sides) <= 0):
        return False  # all of it lies on one side of the line
    marks = [0, dx * dx + dy * dy]
    for (c, d), c_side, d_side in zip(edges_of(outline), sides, (*sides[1:], sides[0]), strict=True):
        if c_side == 0:
            along = (c[0] - a[0]) * dx + (c[1] - a[1]) * dy
            if 0 < along < marks[1]:
                marks.append(along)
        elif (c_side > 0 > d_side) or (c_side < 0 < d_side):
            a_side, b_side = cross(c, d, a), cross(c, d, b)
            if (a_side > 0 > b_side) or (a_side < 0 < b_side):
                return True
    if inside(a, outline) > 0 or inside(b, outline) > 0:
        return True
    if len(marks) == 2 and (inside(a, outline) < 0 or inside(b, outline) < 0):
        return False  # nothing is crossed and one end is outside
    # No edge is crossed properly, so between two corners on the segment it is wholly inside or wholly outside
    # (or along an edge): the middle of each piece tells, in coordinates multiplied by twice the squared length.
    unit = 2 * marks[1]
    marks.sort()
    scaled = [(x * unit, y * unit) for x, y in outline]
    return any(inside((a[0] * unit + dx * (s + t), a[1] * unit + dy * (s + t)), scaled) > 0 for s, t in pairwise(marks))


def outlines_overlap(one: Outline, other: Outline) -> bool:
    """Tell whether two outlines, the first of them convex and counter-clockwise, have a common inside; touching is
    none."""
    if not boxes_meet(box_of(one), box_of(other)):
        return False
    edges = edges_of(one)
    for (ax, ay), (bx, by) in edges:
        dx, dy = bx - ax, by - ay
        # mostly one edge has all of the other outline outside
        if (dx or dy) and max([dx * (y - ay) - dy * (x - ax) for x, y in other]) <= 0:
            return False
    if any(through_interior(a, b, other) for a, b in edges):
        return True
    # no edge of the first enters the other, which then lies wholly in the first or wholly outside
    return all(inside(corner, one) >= 0 for corner in other)


def meets_outline(a: Point, b: Point, outline: Outline) -> bool:
    """Tell whether the segment has a point in the outline, its boundary included."""
    return contains(a, outline) or any(segments_meet(a, b, c, d) for c, d in edges_of(outline))


def segment_near_outline(a: Point, b: Point, outline: Outline, distance: int) -> bool:
    """Tell whether the segment comes strictly nearer than `distance` to the outline, the inside included."""
    return distance > 0 and (
        contains(a, outline) or any(segments_nearer(a, b, c, d, distance) for c, d in edges_of(outline))
    )


def place_near_outline(p: Point, outline: Outline, distance: int) -> bool:
    """Tell whether a place comes strictly nearer than `distance` to the outline, the inside included."""
    return distance > 0 and (contains(p, outline) or point_near_outline(p, outline, distance))


def point_near_outline(p: Point, outline: Outline, distance: int) -> bool:
    """Tell whether a point is strictly nearer than `distance` to the boundary of the outline, from within or
    without."""
    return any(point_nearer(p, a, b, distance) for a, b in edges_of(outline))


def nearest_on_edges(p: Point, edges: Sequence[Segment]) -> Point:
    """Return the point of the edges nearest to p (the first of equals), rounded to the nearest hundredth."""
    return min((nearest_on_segment(p, a, b) for a, b in edges), key=lambda q: squared(p, q))


def sliced(outline: Outline, piece: int) -> tuple[Outline, ...]:
    """Cut a convex outline, or the line between two points, across the longer side of its box into slices at most
    `piece` long. Cut points are rounded to the nearest hundredth."""
    left, bottom, right, top = box_of(outline)
    axis, low, high = (0, left, right) if right - left >= top - bottom else (1, bottom, top)
    cuts = [*range(low, high, piece), high]
    return tuple([_kept(_kept(outline, axis, start, 1), axis, -end, -1) for start, end in pairwise(cuts)])


def _kept(outline: Outline, axis: int, limit: int, sign: int) -> Outline:
    """Return the part of an outline whose coordinate along an axis, times `sign`, is at least a limit."""
    found: list[Point] = []
    for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
        before, after = sign * a[axis] - limit, sign * b[axis] - limit
        if before >= 0:
            found.append(a)
        if before * after < 0:
            cut = a[1 - axis] + divide((b[1 - axis] - a[1 - axis]) * before, before - after)
            found.append((sign * limit, cut) if axis == 0 else (cut, sign * limit))
    return tuple(dict.fromkeys(found))
