"""Templates laid on the table: discs, boxes, strips and cones, and the footprints that they touch.

A template touches a footprint when they have a common point: edges that meet count. Headings are whole degrees, as in
`headings`; corners are rounded to the nearest hundredth, and all that follows from them is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

import msgspec

from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase, Footprint
from engine.space.vectors.headings import ahead, rectangle
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline, contains
from engine.space.vectors.points import Point, cross, point_nearer, point_to_segment, segments_meet, within


class Disc(msgspec.Struct, frozen=True):
    """All points at most `radius` from a place."""

    at: Point
    radius: int

    def touches(self, footprint: Footprint) -> bool:
        """Tell whether the disc and the footprint have a common point."""
        if isinstance(footprint, Base):
            return within(self.at, footprint.at, self.radius + footprint.radius)
        return self.meets(footprint.outline())

    def meets(self, outline: Outline) -> bool:
        """Tell whether the disc and an outline, or the line between two points, have a common point."""
        return is_within_outline(self.at, outline, self.radius)


class Patch(msgspec.Struct, frozen=True):
    """A rectangle along a heading, its middle at a place: made by `box`, or by `strip` from the middle of its end."""

    corners: Outline

    def touches(self, footprint: Footprint) -> bool:
        """Tell whether the rectangle and the footprint have a common point."""
        if isinstance(footprint, Base):
            return is_within_outline(footprint.at, self.corners, footprint.radius)
        return self.meets(footprint.outline())

    def meets(self, other: Outline) -> bool:
        """Tell whether the rectangle and an outline, or the line between two points, have a common point."""
        if contains(other[0], self.corners) or contains(self.corners[0], other):
            return True
        return any(segments_meet(a, b, c, d) for a, b in edges_of(self.corners) for c, d in edges_of(other))


def box(at: Point, facing: int, length: int, width: int) -> Patch:
    """Return a rectangle around a place, its length along the heading."""
    return Patch(BoxBase(at, facing, length, width).outline())


def strip(start: Point, facing: int, length: int, width: int) -> Patch:
    """Return a rectangle that begins at a place and leads along the heading, half its width to each side."""
    return Patch(rectangle(start, facing, 0, length, width))


class Cone(msgspec.Struct, frozen=True):
    """All points at most `length` from an apex between two sides, which end at `right` and `left`: made by `cone`."""

    apex: Point
    length: int
    right: Point
    left: Point

    def touches(self, footprint: Footprint) -> bool:
        """Tell whether the cone and the footprint have a common point."""
        if isinstance(footprint, Base):
            return self._meets_disc(footprint.at, footprint.radius)
        outline = footprint.outline()
        return contains(self.apex, outline) or any(self._meets_edge(a, b) for a, b in edges_of(outline))

    def _is_between(self, p: Point) -> bool:
        return cross(self.apex, self.right, p) >= 0 and cross(self.apex, p, self.left) >= 0

    def _meets_disc(self, at: Point, radius: int) -> bool:
        if self._is_between(at):
            return within(self.apex, at, self.length + radius)
        return any(
            point_nearer(at, self.apex, end, radius + 1) and _is_at(at, self.apex, end, radius) for end in self._ends
        )

    @property
    def _ends(self) -> tuple[Point, Point]:
        return self.right, self.left

    def _meets_edge(self, a: Point, b: Point) -> bool:
        """Tell whether a segment has a point in the cone: it meets a side, or what of it lies between the sides comes
        near enough."""
        if any(segments_meet(a, b, self.apex, end) for end in self._ends):
            return True
        part = self._between_sides(a, b)
        if part is None:
            return False
        (x, y), (low, high), (dx, dy) = self.apex, part, (b[0] - a[0], b[1] - a[1])
        square = dx * dx + dy * dy
        along = Fraction((x - a[0]) * dx + (y - a[1]) * dy, square) if square else Fraction(0)
        share = min(max(along, low), high)
        fx, fy = a[0] + dx * share - x, a[1] + dy * share - y
        return fx * fx + fy * fy <= self.length * self.length

    def _between_sides(self, a: Point, b: Point) -> tuple[Fraction, Fraction] | None:
        """Return the shares of a segment between which it lies between the sides, None where it never does."""
        low, high = Fraction(0), Fraction(1)
        for start, end in (
            (cross(self.apex, self.right, a), cross(self.apex, self.right, b)),
            (cross(self.apex, a, self.left), cross(self.apex, b, self.left)),
        ):
            if start < 0 and end < 0:
                return None
            if start < 0:
                low = max(low, Fraction(-start, end - start))
            elif end < 0:
                high = min(high, Fraction(start, start - end))
        return (low, high) if low <= high else None


def cone(apex: Point, facing: int, length: int, width: int) -> Cone:
    """Return a cone so many degrees wide, half to each side of a heading. ValueError unless half the width is a
    multiple of 5, from 5 to 85."""
    if width % 10 or not 10 <= width < 180:
        raise ValueError(f"a cone of {width} degrees")
    half = width // 2
    return Cone(apex, length, ahead(apex, facing - half, length), ahead(apex, facing + half, length))


Template: TypeAlias = Disc | Patch | Cone
F = TypeVar("F", bound=Footprint)


def touched(template: Template, footprints: Iterable[F]) -> list[F]:
    """Return the footprints that a template touches, in the order given."""
    return [footprint for footprint in footprints if template.touches(footprint)]


def is_within_outline(p: Point, outline: Sequence[Point], distance: int) -> bool:
    """Tell whether a point lies in an outline, or at most so far outside it."""
    return contains(p, outline) or any(_is_at(p, a, b, distance) for a, b in edges_of(tuple(outline)))


def _is_at(p: Point, a: Point, b: Point, distance: int) -> bool:
    square, denominator = point_to_segment(p, a, b)
    return square <= distance * distance * denominator
