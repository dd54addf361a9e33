"""Cover by pair of figures: the features that one stands in, or close behind, as seen from the other.

What a feature is worth (soft, hard, none) is the rules'; here is which ones count for a line of fire.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from engine.space.terrain.contact import Base
from engine.space.terrain.features import Scenery
from engine.space.terrain.footprints import Footprint, box_of_footprint
from engine.space.terrain.templates import is_within_outline
from engine.space.vectors.points import Id, Point, Segment, segments_meet, widened, within


class Shelter(NamedTuple):
    """A feature that shelters a figure: it stands in it, or else the line of fire crosses it close before its base."""

    id: Id
    is_in: bool


def shelters(
    scenery: Scenery, shooter: Footprint, target: Footprint, behind: int, own: int = -1, without: Collection[Id] = ()
) -> list[Shelter]:
    """Return the features that shelter a target from a shooter, areas first, each in the table's order.

    An area that holds the target's centre does; so does an area or barrier that the line from centre to centre crosses
    at most `behind` from the target's base. A crossing at most `own` from the shooter's base does not count (-1: all
    count). `without`: features left out, such as the two themselves.
    """
    start, end = shooter.at, target.at
    box = widened(box_of_footprint(target), behind)

    def is_behind(edges: Iterable[Segment]) -> bool:
        crossings = [p for edge in edges for p in _crossings(start, end, *edge)]
        return any(_is_near(p, target, behind) and not (own >= 0 and _is_near(p, shooter, own)) for p in crossings)

    areas = [area for area in scenery.areas_near(box) if area.id not in without]
    barriers = [barrier for barrier in scenery.barriers_near(box) if barrier.id not in without]
    held = {area.id for area in areas if area.holds(end)}
    return [
        *[Shelter(area.id, area.id in held) for area in areas if area.id in held or is_behind(area.edges)],
        *[Shelter(barrier.id, is_in=False) for barrier in barriers if is_behind(barrier.edges)],
    ]


class _Crossing(NamedTuple):
    """A point, in coordinates multiplied by `unit` to whole ones."""

    at: Point
    unit: int


def _crossings(a: Point, b: Point, c: Point, d: Point) -> list[_Crossing]:
    """Return the point that two segments have in common; the ends of the stretch where they share one."""
    if not segments_meet(a, b, c, d):
        return []
    dx, dy, ex, ey = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    unit = dx * ey - dy * ex
    if unit == 0:
        return [_Crossing(p, 1) for p in sorted((a, b, c, d))[1:3]]
    along = (c[0] - a[0]) * ey - (c[1] - a[1]) * ex
    if unit < 0:
        unit, along = -unit, -along
    return [_Crossing((a[0] * unit + dx * along, a[1] * unit + dy * along), unit)]


def _is_near(crossing: _Crossing, footprint: Footprint, distance: int) -> bool:
    """Tell whether a crossing is at most so far from the edge of a footprint, or within it."""
    (x, y), unit = crossing
    if isinstance(footprint, Base):
        return within((x, y), (footprint.at[0] * unit, footprint.at[1] * unit), (footprint.radius + distance) * unit)
    return is_within_outline((x, y), [(cx * unit, cy * unit) for cx, cy in footprint.outline()], distance * unit)
