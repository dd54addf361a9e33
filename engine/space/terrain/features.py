"""Features of a table: areas and linear barriers, and a table prepared for quick questions.

Kinds and protection belong to the game; here a feature is its geometry, an id, and what it stops.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

import msgspec

from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline, checked, inside, is_convex, through_interior
from engine.space.vectors.points import (
    Box,
    Id,
    Point,
    Segment,
    box_between,
    box_of,
    boxes_meet,
    point_nearer,
    point_to_segment,
    segments_meet,
    squared,
)


class Area(msgspec.Struct, frozen=True):
    """A feature with ground. A figure is in it when its centre is; the boundary counts as inside.

    No base may overlap an impassable area (it may touch it), and no straight move leads through it.
    """

    id: Id
    outline: Outline
    blocks_sight: bool = False
    impassable: bool = False


class Barrier(msgspec.Struct, frozen=True):
    """A wall or fence without width, along a line of two or more points."""

    id: Id
    line: tuple[Point, ...]
    blocks_sight: bool = False


class PreparedArea(msgspec.Struct, frozen=True, eq=False):
    """An area with its outline counter-clockwise, edges, bounding box and shape worked out once."""

    id: Id
    blocks_sight: bool
    impassable: bool
    outline: Outline
    edges: tuple[Segment, ...]
    box: Box
    convex: bool

    def holds(self, p: Point) -> bool:
        """Tell whether a figure with its centre at p is in the area."""
        left, bottom, right, top = self.box
        return left <= p[0] <= right and bottom <= p[1] <= top and inside(p, self.outline) >= 0

    def pierced_by(self, a: Point, b: Point) -> bool:
        """Tell whether the segment has a point strictly inside the area: as `through_interior`, quicker."""
        if not self.convex:
            return boxes_meet(box_between(a, b), self.box) and through_interior(a, b, self.outline)
        ax, ay = a
        bx, by = b
        left, bottom, right, top = self.box
        if (ax <= left and bx <= left) or (ax >= right and bx >= right):
            return False
        if (ay <= bottom and by <= bottom) or (ay >= top and by >= top):
            return False
        # Two convex sets are apart exactly if the line of some edge of one of them parts them.
        dx, dy = bx - ax, by - ay
        base = dx * ay - dy * ax
        sides = [dx * y - dy * x for x, y in self.outline]
        if min(sides) >= base or max(sides) <= base:
            return a == b and inside(a, self.outline) > 0
        for (cx, cy), (ex, ey) in self.edges:
            fx, fy = ex - cx, ey - cy
            edge = fx * cy - fy * cx
            if fx * ay - fy * ax <= edge and fx * by - fy * bx <= edge:
                return False
        return True


class PreparedBarrier(msgspec.Struct, frozen=True, eq=False):
    """A barrier with its pieces and bounding box."""

    id: Id
    blocks_sight: bool
    corners: tuple[Point, ...]
    edges: tuple[Segment, ...]
    box: Box

    def crossed_by(self, a: Point, b: Point) -> bool:
        """Tell whether the segment from a to b has a common point with the barrier; a touch counts."""
        ax, ay = a
        dx, dy = b[0] - ax, b[1] - ay
        base = dx * ay - dy * ax
        for c, d in self.edges:
            c_side, d_side = dx * c[1] - dy * c[0], dx * d[1] - dy * d[0]
            # mostly both ends lie on one side of the line
            if (c_side > base and d_side > base) or (c_side < base and d_side < base):
                continue
            if segments_meet(a, b, c, d):
                return True
        return False

    def near(self, p: Point, distance: int) -> bool:
        """Tell whether a point is strictly nearer than `distance` to the barrier."""
        left, bottom, right, top = self.box
        x, y = p
        if x < left - distance or x > right + distance or y < bottom - distance or y > top + distance:
            return False
        return any(point_nearer(p, c, d, distance) for c, d in self.edges)


class Boxed(Protocol):
    """Anything with a bounding box."""

    @property
    def box(self) -> Box:
        """Its bounding box."""


_Boxed = TypeVar("_Boxed", bound=Boxed)


class Scenery(msgspec.Struct, frozen=True, eq=False):
    """The features of one table, prepared: made once by `scenery`, valid while the features stay."""

    width: int
    height: int
    areas: tuple[PreparedArea, ...]
    barriers: tuple[PreparedBarrier, ...]

    def area(self, id: Id) -> PreparedArea:
        """Return the area of that id. KeyError without one."""
        for area in self.areas:
            if area.id == id:
                return area
        raise KeyError(id)

    def barrier(self, id: Id) -> PreparedBarrier:
        """Return the barrier of that id. KeyError without one."""
        for barrier in self.barriers:
            if barrier.id == id:
                return barrier
        raise KeyError(id)

    def areas_at(self, p: Point) -> tuple[Id, ...]:
        """Return the ids of the areas that hold a centre at p, in the order given to `scenery`."""
        x, y = p
        return tuple(
            [a.id for a in self.areas if a.box[0] <= x <= a.box[2] and a.box[1] <= y <= a.box[3] and a.holds(p)]
        )

    def areas_near(self, box: Box) -> tuple[PreparedArea, ...]:
        """Return the areas whose bounding box meets the box."""
        return tuple(meeting(box, self.areas))

    def barriers_near(self, box: Box) -> tuple[PreparedBarrier, ...]:
        """Return the barriers whose bounding box meets the box."""
        return tuple(meeting(box, self.barriers))

    def areas_on(self, a: Point, b: Point) -> tuple[PreparedArea, ...]:
        """Return the areas that a straight way begins in, ends in or leads through."""
        near = self.areas_near(box_between(a, b))
        return tuple([area for area in near if area.holds(a) or area.holds(b) or area.pierced_by(a, b)])

    def barriers_on(self, a: Point, b: Point) -> tuple[PreparedBarrier, ...]:
        """Return the barriers that a straight way leads over."""
        return tuple([barrier for barrier in self.barriers_near(box_between(a, b)) if barrier.crossed_by(a, b)])

    def has_disc(self, p: Point, radius: int) -> bool:
        """Tell whether a base lies wholly on the table; it may touch the table's edge."""
        return radius <= p[0] <= self.width - radius and radius <= p[1] <= self.height - radius


def meeting(box: Box, boxed: Iterable[_Boxed]) -> list[_Boxed]:
    """Return those whose box meets `box`: `boxes_meet` spelled out, for nearly every question needs it."""
    left, bottom, right, top = box
    return [one for one in boxed if (b := one.box)[0] <= right and left <= b[2] and b[1] <= top and bottom <= b[3]]


def with_areas(table: Scenery, areas: Iterable[Area]) -> Scenery:
    """Add areas to a table, after its own. ValueError for an outline that is no simple polygon."""
    added = tuple([_prepare_area(area) for area in areas])
    return Scenery(table.width, table.height, (*table.areas, *added), table.barriers)


def scenery(width: int, height: int, areas: Iterable[Area], barriers: Iterable[Barrier]) -> Scenery:
    """Prepare a table from (0, 0) to (width, height).

    ValueError for an outline that is no simple polygon, a barrier of one point or with a point twice running.
    """
    return Scenery(
        width, height, tuple([_prepare_area(a) for a in areas]), tuple([_prepare_barrier(b) for b in barriers])
    )


def _prepare_area(area: Area) -> PreparedArea:
    outline = checked(area.outline)
    return PreparedArea(
        area.id,
        area.blocks_sight,
        area.impassable,
        outline,
        edges_of(outline),
        box_of(outline),
        is_convex(outline),
    )


def _prepare_barrier(barrier: Barrier) -> PreparedBarrier:
    edges = tuple(zip(barrier.line, barrier.line[1:], strict=False))
    if not edges or any(a == b for a, b in edges):
        raise ValueError(f"barrier {barrier.id} needs two or more points, none twice running: {barrier.line}")
    return PreparedBarrier(barrier.id, barrier.blocks_sight, barrier.line, edges, box_of(barrier.line))


def crosses_within(a: Point, b: Point, edges: Iterable[Segment], p: Point, distance: int) -> bool:
    """Tell whether the segment from a to b crosses one of the edges at most `distance` from p (a line of fire near its
    end).

    Where segment and edge run along each other, the stretch that they share counts.
    """
    return any(_crosses_within(a, b, c, d, p, distance) for c, d in edges)


def _crosses_within(a: Point, b: Point, c: Point, d: Point, p: Point, distance: int) -> bool:
    if not segments_meet(a, b, c, d):
        return False
    dx, dy, ex, ey = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    unit = dx * ey - dy * ex
    if unit == 0:
        inner = sorted((a, b, c, d))[1:3]  # on one line, the two in the middle bound the shared stretch
        square, denominator = point_to_segment(p, inner[0], inner[1])
        return square <= distance * distance * denominator
    along = (c[0] - a[0]) * ey - (c[1] - a[1]) * ex
    crossing = (a[0] * unit + dx * along, a[1] * unit + dy * along)
    return squared(crossing, (p[0] * unit, p[1] * unit)) <= distance * distance * unit * unit
