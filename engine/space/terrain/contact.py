"""Round bases: gaps, touching, overlapping, and the place of contact of a moving base with another.

A gap is measured from edge to edge. Bases touch when it is under `TOUCH`, and overlap when it is negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from engine.space.vectors.points import Hundredths, Point, floor_sqrt, squared, towards
from protocol.ids import FigureId

TOUCH: Final = Hundredths(5)


class Base(msgspec.Struct, frozen=True):
    """The round base of one figure: the figure's id, its centre and its radius."""

    id: FigureId
    at: Point
    radius: int


def gap(a: Base, b: Base) -> int:
    """Return the distance between two bases, edge to edge, rounded down; negative where they overlap."""
    return floor_sqrt(squared(a.at, b.at)) - a.radius - b.radius


def touches(a: Base, b: Base) -> bool:
    """Tell whether the gap is under `TOUCH`; bases that overlap touch too."""
    reach = a.radius + b.radius + TOUCH
    return squared(a.at, b.at) < reach * reach


def overlaps(a: Base, b: Base) -> bool:
    """Tell whether the gap is negative."""
    reach = a.radius + b.radius
    return squared(a.at, b.at) < reach * reach


def gap_at_most(a: Base, b: Base, distance: int) -> bool:
    """Tell whether two bases are at most `distance` apart, edge to edge."""
    reach = a.radius + b.radius + distance
    return squared(a.at, b.at) <= reach * reach


def first_touched(base: Base, others: Iterable[Base]) -> Base | None:
    """Return the first of these that touches the base; None where none does."""
    return first_overlapped(Base(base.id, base.at, base.radius + TOUCH), others)


def first_overlapped(base: Base, others: Iterable[Base]) -> Base | None:
    """Return the first of these that overlaps the base; None where none does."""
    (x, y), radius = base.at, base.radius
    for other in others:
        (ox, oy), reach = other.at, radius + other.radius
        dx, dy = ox - x, oy - y
        if dx * dx + dy * dy < reach * reach:  # `overlaps` spelled out: this is an inner loop
            return other
    return None


def at_most_apart(base: Base, others: Iterable[Base], distance: int) -> list[Base]:
    """Return those of many bases that are at most `distance` from one, edge to edge."""
    (x, y), near = base.at, base.radius + distance
    return [other for other in others if (other.at[0] - x) ** 2 + (other.at[1] - y) ** 2 <= (near + other.radius) ** 2]


def contact_point(moving: Base, still: Base) -> Point:
    """Return the place nearest to `moving` at which it touches `still` without overlapping it (gap 0 to under `TOUCH`).

    The coordinates are cut towards `still` from a gap of 2 hundredths, so that the gap stays within these bounds. Where
    both centres are the same point, the place is on the side of greater x.
    """
    reach = moving.radius + still.radius
    start = moving.at if moving.at != still.at else (still.at[0] + 1, still.at[1])
    if squared(start, still.at) <= (reach + 2) ** 2:  # too near or overlapping: outwards, from far along the same ray
        (x, y), far = still.at, reach + 3
        start = x + (start[0] - x) * far, y + (start[1] - y) * far
    return towards(still.at, start, reach + 2)
