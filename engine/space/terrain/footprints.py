"""Footprints: the ground that a figure, gun or vehicle takes up, a round base or a rectangle with a facing.

The questions are those of round bases (`contact`), asked of any two: bases touch when their gap, edge to edge, is
under `TOUCH`, and overlap when they share more than an edge.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias, TypeVar

import msgspec

from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import Area
from engine.space.vectors.headings import rectangle
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline, contains, outlines_overlap, place_near_outline
from engine.space.vectors.points import Box, Point, box_around, box_of, ceil_sqrt, segments_nearer
from protocol.ids import NO_FIGURE, FigureId

ROUNDED: Final = 2
"""Hundredths: rounding moves corners farther out by less than this."""


class BoxBase(msgspec.Struct, frozen=True):
    """A rectangular base: its centre, its heading in degrees, its length along that and its width."""

    at: Point
    facing: int
    length: int
    width: int
    id: FigureId = NO_FIGURE

    @property
    def radius_around(self) -> int:
        """Radius of a circle that holds its corners at any heading."""
        return ceil_sqrt(self.length**2 + self.width**2) // 2 + ROUNDED

    def outline(self, margin: int = 0) -> Outline:
        """Return the corners of the base, or of one so much wider on all sides."""
        half = self.length // 2 + margin
        return rectangle(self.at, self.facing, half, half, self.width + 2 * margin)

    def strip_ahead(self, distance: int) -> Outline:
        """Return the strip that the base covers anew when it goes so far ahead."""
        half = self.length // 2
        return rectangle(self.at, self.facing, -half, half + distance, self.width)


Footprint: TypeAlias = Base | BoxBase
F = TypeVar("F", bound="Base | BoxBase")


def moved(footprint: F, at: Point) -> F:
    """Return the same footprint at another place."""
    return msgspec.structs.replace(footprint, at=at)


def box_of_footprint(footprint: Footprint) -> Box:
    """Return the bounding box of a footprint."""
    if isinstance(footprint, Base):
        return box_around(footprint.at, footprint.radius)
    return box_of(footprint.outline())


def are_nearer(one: Footprint, other: Footprint, distance: int) -> bool:
    """Tell whether two footprints are strictly nearer than `distance`, edge to edge; with 0: whether they overlap."""
    if isinstance(one, Base):
        if isinstance(other, Base):
            reach = one.radius + other.radius + distance
            (ax, ay), (bx, by) = one.at, other.at
            return (ax - bx) * (ax - bx) + (ay - by) * (ay - by) < reach * reach
        return place_near_outline(one.at, other.outline(), one.radius + distance)
    if isinstance(other, Base):
        return place_near_outline(other.at, one.outline(), other.radius + distance)
    ours, theirs = one.outline(), other.outline()
    if distance == 0:
        return outlines_overlap(ours, theirs)
    if contains(ours[0], theirs) or contains(theirs[0], ours):
        return True
    return any(segments_nearer(a, b, c, d, distance) for a, b in edges_of(ours) for c, d in edges_of(theirs))


def are_touching(one: Footprint, other: Footprint) -> bool:
    """Tell whether the gap is under `TOUCH`; footprints that overlap touch too."""
    return are_nearer(one, other, TOUCH)


def first_near(footprint: Footprint, others: Iterable[Footprint], distance: int = 0) -> Footprint | None:
    """Return the first of these that is strictly nearer than `distance` (0: that overlaps); None where none is."""
    return next((other for other in others if are_nearer(footprint, other, distance)), None)


def eyes_of(footprint: Footprint) -> tuple[Base, ...]:
    """Return the points that lines of sight lead from and to, as bases for `formation`: of a round base itself, of a
    rectangle its centre, then its corners."""
    if isinstance(footprint, Base):
        return (footprint,)
    return tuple([Base(footprint.id, at, 1) for at in (footprint.at, *footprint.outline())])


def as_area(footprint: BoxBase, *, blocks_sight: bool = False) -> Area:
    """Return a rectangular base as ground that nobody enters, under the base's id: `with_areas` adds it to a table."""
    return Area(footprint.id, footprint.outline(), blocks_sight, impassable=True)
