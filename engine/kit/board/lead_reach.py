"""Reach of a lead in every direction, by straight ways past what it meets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from engine.core.rules.steps import Steps
from engine.kit.board.formations import LeadRoom, cluster
from engine.kit.board.lead_ways import LeadWays, leaves
from engine.space.movement.directions import DIRECTION_NUMBERS, by_direction, facing_bases, facing_edges
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.movement.ways import ground_cost
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.vectors.bisection import first_met
from engine.space.vectors.outlines import Outline, segment_near_outline
from engine.space.vectors.points import Point, floor_sqrt, point_nearer, squared
from protocol.ids import NO_FIGURE

Stops = Callable[[int], bool]
"""Tells if something stops a way of a length, in hundredths."""

TENTH: Final = 10
ON_BARRIER: Final = 1
"""Hundredths from a barrier at which a lead stands on it."""


class Slowing(NamedTuple):
    """Cost of a way as terrain makes it: areas in which every hundredth counts twice, and the toll of crossing a
    barrier. `is_eased`: neither counts."""

    is_slow: Callable[[PreparedArea], bool]
    toll: Callable[[PreparedBarrier], int]
    is_eased: bool = False

    def cost(self, scenery: Scenery, start: Point, end: Point) -> int:
        """Return what a straight way costs, in hundredths. `scenery`: all that it may meet."""
        if self.is_eased:
            return floor_sqrt(squared(start, end))
        return ground_cost(scenery, (start, end), self.is_slow, self.toll)


class _Ahead(NamedTuple):
    """Obstacles of a lead in one direction: bases widened by the gap that is kept, closed areas, and the table with
    areas that slow down and barriers alone. `slowing`: by terrain that is there."""

    clear: list[Base]
    closed: list[PreparedArea]
    scenery: Scenery
    slowing: Slowing


def region(at: Point, reaches: Sequence[int]) -> Outline:
    """Return the outline in which a lead at a place can end a straight way, with these reaches in DIRECTIONS; between
    two it reaches as far as both do. Who is hemmed in has one corner: the own place."""
    found: list[Point] = []
    for number, direction in enumerate(DIRECTIONS):
        after = (number + 1) % len(DIRECTIONS)
        both = min(reaches[number], reaches[after])
        found += [along(at, direction, both), along(at, DIRECTIONS[after], both)]
    return tuple([p for p, before in zip(found, [found[-1], *found], strict=False) if p != before]) or (at,)


def farthest(room: LeadRoom, ways: LeadWays, slowing: Slowing, limit: int) -> Steps[list[int]]:
    """Work out, at each step one of DIRECTIONS, the reach of a lead by straight ways that cost at most `limit`, rounded
    down to a tenth of the system's unit. `room`: around where it stands, and its own to change; `ways`: in all of its
    reach."""
    at, radius = room.lead, ways.radius
    found: list[int] = []
    if ways.flies:
        for direction in DIRECTIONS:
            found.append(_landing(room, direction, radius, limit))
            yield
        return found
    left = [(*base, reach - radius) for base, reach in ways.clear if squared(base, at) < reach * reach]
    for direction, ahead in zip(DIRECTIONS, _ahead(room.scenery, ways, slowing, at, limit), strict=True):
        # ways keep clear of all other bases, and so do their ends
        room.scenery, room.closed, room.clear = ahead.scenery, ahead.closed, [cluster(left)] if left else []
        stops = partial(_stops, room, ahead, radius, direction, limit)
        found.append(_open_until(at, direction, ahead, radius, limit, stops))
        yield
    return found


def _ahead(table: Scenery, ways: LeadWays, slowing: Slowing, at: Point, limit: int) -> Iterator[_Ahead]:
    """Yield what lies in each of DIRECTIONS."""
    radius = ways.radius

    def facing(area: PreparedArea, margin: int) -> Iterable[int]:
        return DIRECTION_NUMBERS if area.holds(at) else facing_edges(at, area.edges, margin, limit)

    nearest = sorted(ways.clear, key=lambda disc: squared(at, disc[0]))
    discs = [Base(NO_FIGURE, base, reach - radius) for base, reach in nearest]
    clear = by_direction(discs, lambda disc: facing_bases(at, (disc,), radius, limit))
    closed = by_direction(ways.closed, lambda area: facing(area, radius))
    barriers = by_direction(table.barriers, lambda barrier: facing_edges(at, barrier.edges, ON_BARRIER, limit))
    slow = by_direction(filter(slowing.is_slow, table.areas), lambda area: facing(area, 0))
    for number in DIRECTION_NUMBERS:
        there = Scenery(table.width, table.height, tuple(slow[number]), tuple(barriers[number]))
        is_eased = slowing.is_eased or not (there.areas or any(map(slowing.toll, there.barriers)))
        yield _Ahead(clear[number], closed[number], there, slowing._replace(is_eased=is_eased))


def _stops(room: LeadRoom, ahead: _Ahead, radius: int, direction: Point, limit: int, distance: int) -> bool:
    """Tell if something other than a base stops the lead on the way so far in a direction."""
    at = room.lead
    place = along(at, direction, distance)
    return (
        ahead.slowing.cost(ahead.scenery, at, place) > limit
        or any(segment_near_outline(at, place, area.outline, radius) for area in ahead.closed)
        or bool(room.fault(place, radius))
    )


def _open_until(at: Point, direction: Point, ahead: _Ahead, radius: int, limit: int, stops: Stops) -> int:
    """Return how far a way leads in a direction. It is looked at anew for each end that is found: an end is rounded,
    and a base that a longer way passes may be met by a shorter one."""
    distance = limit
    while (shorter := _reach(stops, _clear_until(at, direction, ahead.clear, radius, distance))) < distance:
        distance = shorter
    return distance


def _clear_until(at: Point, direction: Point, bases: Iterable[Base], radius: int, limit: int) -> int:
    """Return how far a way keeps clear of bases."""
    end = along(at, direction, limit)
    for base in bases:
        reach = base.radius + radius
        if point_nearer(base.at, at, end, reach) and not leaves(base.at, at, end, reach):
            limit = _reach(partial(_meets, at, direction, base.at, reach), limit)
            end = along(at, direction, limit)
    return limit


def _meets(at: Point, direction: Point, centre: Point, reach: int, distance: int) -> bool:
    return point_nearer(centre, at, along(at, direction, distance), reach)


def _reach(stops: Stops, limit: int) -> int:
    """Return the farthest distance that nothing stops: an obstacle on the way stops all longer ways."""
    if not stops(limit):
        return limit
    met: int = first_met(lambda tenths: stops(TENTH * tenths), -(-limit // TENTH))
    return TENTH * max(0, met - 1)


def _landing(room: LeadRoom, direction: Point, radius: int, limit: int) -> int:
    """Return the farthest distance at which a flying lead may end: they pass over places at which they may not."""
    at = room.lead

    def is_open(distance: int) -> bool:
        place = along(at, direction, distance)
        return not room.fault(place, radius) and floor_sqrt(squared(at, place)) <= limit

    if is_open(limit):
        return limit
    return next((TENTH * tenths for tenths in reversed(range(limit // TENTH)) if is_open(TENTH * tenths)), 0)
