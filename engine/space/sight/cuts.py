"""Cuts: what ends a line of sight by its length or place, beside the features that plainly block it.

- Foliage cuts a line of which more than `longest` lies inside it, in one piece or in several, ends included.
- Smoke cuts a line that comes strictly nearer to its middle than its radius, one that begins or ends in it too.
- Low ground (a fire, say) blocks as an area does, but not the lines of figures that stand on a hill.
A hill itself is an area that blocks sight: it does not block the lines of those who stand on it.
All of it is exact: stretches of a line are fractions of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeAlias

import msgspec

from engine.space.terrain.features import PreparedArea, meeting
from engine.space.terrain.stretches import length_inside
from engine.space.vectors.outlines import inside
from engine.space.vectors.points import Id, Point, box_between, point_nearer, squared

ROUNDED: Final = 20
"""Hundredths by which the length inside an area, each of its ends rounded, may be wrong at most."""


class Foliage(msgspec.Struct, frozen=True):
    """Areas that are seen through for `longest` in all, each line on its own."""

    id: Id
    areas: tuple[PreparedArea, ...]
    longest: int

    def cuts(self, a: Point, b: Point) -> bool:
        """Tell whether more than `longest` of the line lies inside the areas; where they lie over one another it counts
        once."""
        box = box_between(a, b)
        near = meeting(box, self.areas)
        if not near:
            return False
        lengths = [length_inside(a, b, area) for area in near]
        if sum(lengths) + ROUNDED * len(lengths) <= self.longest:  # most lines: no fractions are needed
            return False
        longest, area = max(zip(lengths, near, strict=True), key=lambda one: one[0])
        if longest - ROUNDED > self.longest and area.convex and area.pierced_by(a, b):
            return True
        share = share_inside(a, b, near)
        return share > 0 and share * share * squared(a, b) > self.longest * self.longest


class Smoke(msgspec.Struct, frozen=True):
    """A round cloud."""

    id: Id
    at: Point
    radius: int

    def cuts(self, a: Point, b: Point) -> bool:
        """Tell whether the line comes into the cloud; one that only touches its edge does not."""
        return point_nearer(self.at, a, b, self.radius)


class Low(msgspec.Struct, frozen=True):
    """An area that those on one of the `hills` see over."""

    id: Id
    area: PreparedArea
    hills: tuple[PreparedArea, ...]

    def cuts(self, a: Point, b: Point) -> bool:
        """Tell whether the line passes through the area, which holds neither end, and no end is on a hill."""
        if not self.area.pierced_by(a, b) or self.area.holds(a) or self.area.holds(b):
            return False
        return not any(hill.holds(a) or hill.holds(b) for hill in self.hills)


Cut: TypeAlias = Foliage | Smoke | Low


def share_inside(a: Point, b: Point, areas: Iterable[PreparedArea]) -> Fraction:
    """Return the share of a line that lies inside any of the areas, from 0 to 1; along an edge is not inside."""
    box = box_between(a, b)
    near = meeting(box, areas)
    if a == b or not near:
        return Fraction(0)
    marks = sorted({Fraction(0), Fraction(1), *[share for area in near for share in _crossings(a, b, area)]})
    return sum([high - low for low, high in pairwise(marks) if _is_inside(a, b, low + high, near)], Fraction(0))


def _crossings(a: Point, b: Point, area: PreparedArea) -> list[Fraction]:
    """Return the shares of a line at which it meets edges of an area, those that it runs along left out: their ends are
    on others."""
    (ax, ay), dx, dy = a, b[0] - a[0], b[1] - a[1]
    found: list[Fraction] = []
    for (cx, cy), (ex, ey) in area.edges:
        fx, fy, gx, gy = ex - cx, ey - cy, cx - ax, cy - ay
        unit, along, beside = dx * fy - dy * fx, gx * fy - gy * fx, gx * dy - gy * dx
        if unit < 0:
            unit, along, beside = -unit, -along, -beside
        if unit and 0 <= along <= unit and 0 <= beside <= unit:
            found.append(Fraction(along, unit))
    return found


def _is_inside(a: Point, b: Point, twice: Fraction, areas: Iterable[PreparedArea]) -> bool:
    """Tell whether the point at half that share of a line is strictly inside an area: in coordinates made whole."""
    unit, share = 2 * twice.denominator, twice.numerator
    p = a[0] * unit + (b[0] - a[0]) * share, a[1] * unit + (b[1] - a[1]) * share
    return any(inside(p, [(x * unit, y * unit) for x, y in area.outline]) > 0 for area in areas)
