"""Rectangular bases that drive straight ahead: how far they come, and where they may stand.

The strip ahead of a base is the ground that it covers anew. It may not lead off the table, overlap what is barred, or
come nearer than `KEEP` to other bases and hulls. What is not barred is entered by the centre: the way ends in it, at
most a length of the base beyond its edge.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.bisection import first_met
from engine.space.vectors.headings import ahead
from engine.space.vectors.outlines import (
    Outline,
    outlines_overlap,
    place_near_outline,
    point_near_outline,
    through_interior,
)
from engine.space.vectors.points import Box, Id, box_around, box_of, boxes_meet, within

KEEP: Final = 100


class Surroundings(NamedTuple):
    """The surroundings of a rectangular base: a table without it; areas and barriers that it may not touch from within
    (`barred`); areas that are `hulls` of others, and round bases, from both of which it keeps off."""

    scenery: Scenery
    barred: frozenset[Id]
    hulls: frozenset[Id]
    bases: tuple[Base, ...]

    def near(self, box: Box) -> Surroundings:
        """Return the same with only those features and round bases that an outline within the box may meet."""
        left, bottom, right, top = box
        bases = [
            base
            for base in self.bases
            if left <= base.at[0] + base.radius
            and base.at[0] - base.radius <= right
            and bottom <= base.at[1] + base.radius
            and base.at[1] - base.radius <= top
        ]
        wide, areas, barriers = self.scenery, self.scenery.areas_near(box), self.scenery.barriers_near(box)
        scenery = Scenery(wide.width, wide.height, areas, barriers)
        return self._replace(scenery=scenery, bases=tuple(bases))

    def holds(self, outline: Outline) -> bool:
        """Tell whether all of an outline is on the table."""
        width, height = self.scenery.width, self.scenery.height
        return all(0 <= x <= width and 0 <= y <= height for x, y in outline)

    def bar(self, outline: Outline) -> Id | None:
        """Return the first thing that is barred to an outline, None where nothing is."""
        box = box_of(outline)
        for area in self.scenery.areas_near(box):
            if area.id in self.barred and outlines_overlap(outline, area.outline):
                return area.id
        for barrier in self.scenery.barriers_near(box):
            if barrier.id in self.barred and any(through_interior(a, b, outline) for a, b in barrier.edges):
                return barrier.id
        return None

    def met(self, outline: Outline) -> Id | None:
        """Return the first hull or base that an outline overlaps, None where it overlaps none."""
        box = box_of(outline)
        for area in self.scenery.areas_near(box):
            if area.id in self.hulls and outlines_overlap(outline, area.outline):
                return area.id
        for base in self.bases:
            x, y = base.at
            r = base.radius
            if boxes_meet((x - r, y - r, x + r, y + r), box) and place_near_outline(base.at, outline, r):
                return base.id
        return None


def stopped_by(base: BoxBase, around: Surroundings, distance: int) -> Id | None:
    """Return what is in the way of a base that goes that far straight ahead; None where nothing is, or the table
    ends."""
    bar = around.bar(base.strip_ahead(distance))
    return bar if bar is not None else around.met(base.strip_ahead(distance + KEEP))


def met_at(base: BoxBase, around: Surroundings) -> Id | None:
    """Return what keeps a base from standing where it is; None where nothing does, or the table ends."""
    outline = base.outline()
    bar = around.bar(outline)
    return bar if bar is not None else around.met(outline)


def may_stand(base: BoxBase, around: Surroundings, keep: int = 0) -> bool:
    """Tell whether a base may stand there: on the table, on nothing barred, overlapping no hull or base; `keep` off all
    of them."""
    outline = base.outline()
    apart = base.outline(keep) if keep else outline
    return around.holds(outline) and around.bar(outline) is None and around.met(apart) is None


def is_clear_around(base: BoxBase, around: Surroundings) -> bool:
    """Tell whether a base stands there at any heading because the circle around it is empty. False decides nothing."""
    at, radius, scenery = base.at, base.radius_around, around.scenery
    if not scenery.has_disc(at, radius):
        return False
    box = box_around(at, radius)
    solid = [area for area in scenery.areas_near(box) if area.id in around.barred or area.id in around.hulls]
    walls = [barrier for barrier in scenery.barriers_near(box) if barrier.id in around.barred]
    return not (
        any(area.holds(at) or point_near_outline(at, area.outline, radius) for area in solid)
        or any(barrier.near(at, radius) for barrier in walls)
        or any(within(at, other.at, radius + other.radius) for other in around.bases)
    )


def farthest(base: BoxBase, around: Surroundings, allowance: int) -> int:
    """Return how far the base can go straight ahead, at most its allowance."""

    def stopped(distance: int) -> bool:
        strip = base.strip_ahead(distance)
        return (
            not around.holds(strip)
            or around.bar(strip) is not None
            or around.met(base.strip_ahead(distance + KEEP)) is not None
        )

    reach = first_met(stopped, allowance) - 1 if stopped(allowance) else allowance
    ends = [reach]
    goal = ahead(base.at, base.facing, reach)
    box = box_of((base.at, goal))
    for area in around.scenery.areas_near(box):
        if area.id not in around.barred | around.hulls and not area.holds(base.at):
            ends.append(_end_in(base, area, reach))
    for barrier in around.scenery.barriers_near(box):
        if barrier.id not in around.barred:
            ends.append(_end_behind(base, barrier, reach))
    return max(0, min(ends))


def _end_in(base: BoxBase, area: PreparedArea, reach: int) -> int:
    """Return how far a way of that length may lead into an area: a length of the base beyond its edge, without leaving
    it again."""

    def entered(distance: int) -> bool:
        place = ahead(base.at, base.facing, distance)
        return area.holds(place) or area.pierced_by(base.at, place)

    if not entered(reach):
        return reach
    edge = first_met(entered, reach)
    last = min(edge + base.length, reach)
    beyond = range(edge + 1, last + 1)
    return next((d - 1 for d in beyond if not area.holds(ahead(base.at, base.facing, d))), last)


def _end_behind(base: BoxBase, barrier: PreparedBarrier, reach: int) -> int:
    """Return how far a way of that length may lead past a barrier: a length of the base beyond it."""

    def crossed(distance: int) -> bool:
        return barrier.crossed_by(base.at, ahead(base.at, base.facing, distance))

    if not crossed(reach) or crossed(0):
        return reach
    return min(first_met(crossed, reach) + base.length, reach)
