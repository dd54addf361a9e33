"""Places for one footprint of either shape: what is wrong with one, and the nearest that is free."""

from __future__ import annotations

from collections.abc import Sequence

from engine.space.placement.figures import Misplaced, Misplacement
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, Scenery
from engine.space.terrain.footprints import F, Footprint, box_of_footprint, first_near, moved
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.outlines import outlines_overlap, place_near_outline
from engine.space.vectors.points import Point, within


def stand_fault(
    footprint: Footprint, scenery: Scenery, others: Sequence[Footprint], apart: int = 0
) -> Misplacement | None:
    """Return what is wrong with a footprint's place, None where it may stand: wholly on the table, over no impassable
    area, overlapping no other, and at least `apart` from all of them."""
    left, bottom, right, top = box = box_of_footprint(footprint)
    if left < 0 or bottom < 0 or right > scenery.width or top > scenery.height:
        return Misplacement(footprint.id, Misplaced.OFF_TABLE)
    for area in scenery.areas_near(box):
        if area.impassable and covers(footprint, area):
            return Misplacement(footprint.id, Misplaced.IMPASSABLE, area.id)
    met = first_near(footprint, others, apart)
    return None if met is None else Misplacement(footprint.id, Misplaced.OVERLAP, met.id)


def nearest_stand(
    footprint: F, scenery: Scenery, others: Sequence[Footprint], reach: int, step: int, apart: int = 0
) -> F | None:
    """Return the footprint at the free place nearest to its own, on a lattice of `step`, at most `reach` away; None
    without one. It keeps its facing."""
    wide = _size(footprint) + apart
    near = [
        (*other.at, (wide + size) ** 2, other)
        for other in others
        if within(footprint.at, other.at, wide + (size := _size(other)) + reach)
    ]

    def is_free(at: Point) -> bool:
        x, y = at
        met = [other for ox, oy, far, other in near if (x - ox) * (x - ox) + (y - oy) * (y - oy) <= far]
        return stand_fault(moved(footprint, at), scenery, met, apart) is None

    place = nearest_place(footprint.at, is_free, step, reach)
    return None if place is None else moved(footprint, place)


def _size(footprint: Footprint) -> int:
    """Return the radius of a circle around a footprint."""
    return footprint.radius if isinstance(footprint, Base) else footprint.radius_around


def covers(footprint: Footprint, area: PreparedArea) -> bool:
    """Tell whether a footprint and an area have a common inside."""
    if isinstance(footprint, Base):
        return place_near_outline(footprint.at, area.outline, footprint.radius)
    return outlines_overlap(footprint.outline(), area.outline)
