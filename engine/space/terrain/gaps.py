"""Gaps between shapes, edge to edge, for ranges: round bases, outlines, and groups of them.

Distances are rounded up to whole hundredths, so that "at most a range" is decided as exactly as by the squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from engine.space.terrain.contact import Base
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline, contains
from engine.space.vectors.points import Fraction, Point, ceil_sqrt, point_to_segment, segments_meet, squared

Shape: TypeAlias = Base | Outline
"""A thing to measure to or from: a round base, or all of an outline."""


def shapes_gap(ones: Sequence[Shape], others: Sequence[Shape]) -> int:
    """Return the gap between the nearest two of two groups of shapes, 0 where any touch. ValueError for an empty
    group."""
    if all(isinstance(one, Base) for one in ones) and all(isinstance(other, Base) for other in others):
        return _bases_gap(ones, others)  # type: ignore[arg-type]  # all are bases, as checked above
    return min(shape_gap(one, other) for one in ones for other in others)


def shape_gap(one: Shape, other: Shape) -> int:
    """Return the gap between two shapes, 0 where they touch or overlap."""
    if isinstance(one, Base):
        if isinstance(other, Base):
            return max(0, ceil_sqrt(squared(one.at, other.at)) - one.radius - other.radius)
        return max(0, point_gap(one.at, other) - one.radius)
    if isinstance(other, Base):
        return max(0, point_gap(other.at, one) - other.radius)
    return outlines_gap(one, other)


def point_gap(p: Point, outline: Outline) -> int:
    """Return how far a point is outside an outline; 0 within."""
    if contains(p, outline):
        return 0
    return _least_root([point_to_segment(p, a, b) for a, b in edges_of(outline)])


def outlines_gap(one: Outline, other: Outline) -> int:
    """Return the gap between two outlines; 0 where they have a common point."""
    if one == other or contains(one[0], other) or contains(other[0], one):
        return 0
    if any(segments_meet(a, b, c, d) for a, b in edges_of(one) for c, d in edges_of(other)):
        return 0
    nearest = [point_to_segment(p, a, b) for p in one for a, b in edges_of(other)]
    nearest += [point_to_segment(p, a, b) for p in other for a, b in edges_of(one)]
    return _least_root(nearest)


def _bases_gap(ones: Iterable[Base], others: Iterable[Base]) -> int:
    """Return the least gap between bases of two groups: for each sum of radii the nearest centres decide."""
    sizes: dict[int, int] = {}
    discs = [(*other.at, other.radius) for other in others]
    for one in ones:
        x, y = one.at
        for ox, oy, radius in discs:
            square = (x - ox) * (x - ox) + (y - oy) * (y - oy)
            reach = one.radius + radius
            if square < sizes.get(reach, square + 1):
                sizes[reach] = square
    return max(0, min(ceil_sqrt(square) - reach for reach, square in sizes.items()))


def _least_root(squares: Iterable[Fraction]) -> int:
    """Return the least of the roots, each rounded up."""
    return ceil_sqrt(min([-(-numerator // denominator) for numerator, denominator in squares]))
