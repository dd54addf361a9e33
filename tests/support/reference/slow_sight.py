"""Sight by its definition, with fractions and every pair of points: slow and obvious.

It shares only the records that hold the table with the fast one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier

Place = tuple[Fraction, Fraction]
TOUCH = 5


def place(x: Fraction | int, y: Fraction | int) -> Place:
    return Fraction(x), Fraction(y)


def turn(a: Place, b: Place, c: Place) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def squared_distance(a: Place, b: Place) -> Fraction:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def between(a: Place, b: Place, share: Fraction) -> Place:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def point_to_segment(p: Place, a: Place, b: Place) -> Fraction:
    """Return the squared distance of a point from a segment."""
    if a == b:
        return squared_distance(p, a)
    share = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / squared_distance(a, b)
    return squared_distance(p, between(a, b, min(max(share, Fraction(0)), Fraction(1))))


def meeting_shares(a: Place, b: Place, c: Place, d: Place) -> list[Fraction]:
    """Return the shares of the way from a to b at which it meets the segment from c to d; the ends of a shared
    stretch."""
    if a == b:
        return [Fraction(0)] if point_to_segment(a, c, d) == 0 else []
    unit = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if unit != 0:
        along = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / unit
        across = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / unit
        return [along] if 0 <= along <= 1 and 0 <= across <= 1 else []
    if turn(a, b, c) != 0:
        return []
    shares = sorted(
        ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / squared_distance(a, b) for p in (c, d)
    )
    low, high = max(shares[0], Fraction(0)), min(shares[1], Fraction(1))
    return [low, high] if low <= high else []


def segment_to_segment(a: Place, b: Place, c: Place, d: Place) -> Fraction:
    if meeting_shares(a, b, c, d):
        return Fraction(0)
    return min(
        point_to_segment(a, c, d), point_to_segment(b, c, d), point_to_segment(c, a, b), point_to_segment(d, a, b)
    )


def in_triangle(p: Place, a: Place, b: Place, c: Place) -> bool:
    turns = (turn(a, b, p), turn(b, c, p), turn(c, a, p))
    return turn(a, b, c) != 0 and (min(turns) >= 0 or max(turns) <= 0)


def segment_to_hull(a: Place, b: Place, points: Sequence[Place]) -> Fraction:
    """Return the squared distance of a segment from the convex hull of points: each pair is a chord, each three a
    part."""
    if any(in_triangle(a, *three) or in_triangle(b, *three) for three in combinations(points, 3)):
        return Fraction(0)
    chords = [(p, p) for p in points] + list(combinations(points, 2))
    return min(segment_to_segment(a, b, c, d) for c, d in chords)


def edges(outline: Sequence[Place]) -> list[tuple[Place, Place]]:
    return [(outline[i - 1], outline[i]) for i in range(len(outline))]


def on_outline(p: Place, outline: Sequence[Place]) -> bool:
    return any(point_to_segment(p, a, b) == 0 for a, b in edges(outline))


def strictly_inside(p: Place, outline: Sequence[Place]) -> bool:
    """Tell if a point is inside: a ray to the right crosses the outline an odd number of times."""
    if on_outline(p, outline):
        return False
    crossings = 0
    for a, b in edges(outline):
        if (a[1] > p[1]) != (b[1] > p[1]):
            crossings += a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > p[0]
    return crossings % 2 == 1


def passes_inside(a: Place, b: Place, outline: Sequence[Place]) -> bool:
    """Tell if a segment passes inside: between two meetings with the outline it is all inside or all outside, as its
    middle shows."""
    shares = {Fraction(0), Fraction(1)}
    for c, d in edges(outline):
        shares.update(meeting_shares(a, b, c, d))
    ordered = sorted(shares)
    middles = [(s + t) / 2 for s, t in pairwise(ordered)]
    return any(strictly_inside(between(a, b, share), outline) for share in (*ordered, *middles))


def area_blocks(a: Base, b: Base, area: Area) -> bool:
    outline = [place(*p) for p in area.outline]
    start, end = place(*a.at), place(*b.at)
    held = any(strictly_inside(p, outline) or on_outline(p, outline) for p in (start, end))
    return area.blocks_sight and not held and passes_inside(start, end, outline)


def barrier_blocks(a: Base, b: Base, barrier: Barrier) -> bool:
    line = [place(*p) for p in barrier.line]
    start, end = place(*a.at), place(*b.at)
    pieces = list(pairwise(line))
    for base, at in ((a, start), (b, end)):
        if min(point_to_segment(at, c, d) for c, d in pieces) < (base.radius + TOUCH) ** 2:
            return False
    return barrier.blocks_sight and any(meeting_shares(start, end, c, d) for c, d in pieces)


def group_blocks(a: Base, b: Base, group: Sequence[Base]) -> bool:
    centres = [place(*f.at) for f in group]
    return segment_to_hull(place(*a.at), place(*b.at), centres) < max(f.radius for f in group) ** 2


def sees(
    a: Base, b: Base, areas: Sequence[Area], barriers: Sequence[Barrier], others: Sequence[Sequence[Base]]
) -> bool:
    """Tell if two figures see each other past features and the groups of neither."""
    return not (
        any(area_blocks(a, b, area) for area in areas)
        or any(barrier_blocks(a, b, barrier) for barrier in barriers)
        or any(group_blocks(a, b, group) for group in others)
    )
