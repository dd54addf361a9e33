"""Reach of a leader in every direction, by straight ways (OP-MOVE-01, OP-MOVE-03)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from engine.core.rules.steps import Steps
from engine.kit.board.board import kept_steps
from engine.kit.board.formations import cluster
from engine.rulesets.one_page.rules import ground
from engine.rulesets.one_page.rules.formations import FormationRoom
from engine.rulesets.one_page.rules.leader_ways import WayObstacles, leaves
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.movement.directions import DIRECTION_NUMBERS, by_direction, facing_bases, facing_edges
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, Scenery
from engine.space.vectors.bisection import first_met
from engine.space.vectors.outlines import Outline, segment_near_outline
from engine.space.vectors.points import Point, box_around, floor_sqrt, point_nearer, squared
from protocol.ids import NO_FIGURE

Stops = Callable[[int], bool]
"""Tells if something stops a way of a length, in hundredths."""

TENTH: Final = 10
ON_BARRIER: Final = 1
"""Hundredths from a barrier at which a leader stands on it."""


class Ahead(NamedTuple):
    """Obstacles of a leader in one direction: bases widened by the gap that is kept, closed pieces, and the table with
    terrain that slows down and barriers alone. `is_rough`: ways cost more than their length."""

    clear: list[Base]
    closed: list[PreparedArea]
    scenery: Scenery
    is_rough: bool


def region(state: Battle, unit: Unit, limit: int) -> Steps[Outline]:
    """Work out, at each step one direction, the outline in which the leader can end a straight way; between two
    directions it reaches as far as both do. A leader who is hemmed in has one corner: the own place."""
    at = state.leader(unit).at
    reaches = yield from farthest(state, unit, limit)
    found: list[Point] = []
    for number, direction in enumerate(DIRECTIONS):
        after = (number + 1) % len(DIRECTIONS)
        both = min(reaches[number], reaches[after])
        found += [along(at, direction, both), along(at, DIRECTIONS[after], both)]
    return tuple([p for p, before in zip(found, [found[-1], *found], strict=False) if p != before]) or (at,)


@kept_steps(attrgetter("board"))
def farthest(state: Battle, unit: Unit, limit: int) -> Steps[list[int]]:
    """Work out the leader's reach in each of DIRECTIONS, rounded down to a tenth of an inch."""
    at = state.leader(unit).at
    obstacles = WayObstacles(state, unit, box_around(at, limit))
    room = FormationRoom(state, unit, at, reach=limit)
    found: list[int] = []
    if obstacles.flies:
        for direction in DIRECTIONS:
            found.append(_landing(room, direction, obstacles.radius, limit))
            yield
        return found
    left = [(*base, reach - obstacles.radius) for base, reach in obstacles.clear if squared(base, at) < reach * reach]
    # ways keep clear of all other bases, and so do their ends
    room.clear = [cluster(left)] if left else []
    for direction, ahead in zip(DIRECTIONS, _ahead(state, unit, obstacles, at, limit), strict=True):
        room.scenery, room.closed = ahead.scenery, ahead.closed
        stops = partial(_stops, state, room, ahead, obstacles.radius, direction, limit)
        found.append(_open_until(at, direction, ahead, obstacles.radius, limit, stops))
        yield
    return found


def _ahead(state: Battle, unit: Unit, obstacles: WayObstacles, at: Point, limit: int) -> Iterator[Ahead]:
    """Yield what lies in each of DIRECTIONS."""
    table, radius = ground.scenery_of(state), obstacles.radius

    def facing(area: PreparedArea, margin: int) -> Iterable[int]:
        return DIRECTION_NUMBERS if area.holds(at) else facing_edges(at, area.edges, margin, limit)

    nearest = sorted(obstacles.clear, key=lambda disc: squared(at, disc[0]))
    discs = [Base(NO_FIGURE, base, reach - radius) for base, reach in nearest]
    clear = by_direction(discs, lambda disc: facing_bases(at, (disc,), radius, limit))
    closed = by_direction(obstacles.closed, lambda area: facing(area, radius))
    barriers = by_direction(table.barriers, lambda barrier: facing_edges(at, barrier.edges, ON_BARRIER, limit))
    slowing = [area for area in table.areas if ground.terrain(state, area.id).difficult]
    slow = by_direction(slowing, lambda area: facing(area, 0))
    is_eased = ground.is_eased(state, unit)
    for number in DIRECTION_NUMBERS:
        there = Scenery(table.width, table.height, tuple(slow[number]), tuple(barriers[number]))
        is_rough = not is_eased and (there.areas or any(ground.terrain(state, one.id).toll for one in there.barriers))
        yield Ahead(clear[number], closed[number], there, is_rough=bool(is_rough))


def _stops(
    state: Battle, room: FormationRoom, ahead: Ahead, radius: int, direction: Point, limit: int, distance: int
) -> bool:
    """Tell if something other than a base stops the leader on the way so far in a direction."""
    at = room.lead
    place = along(at, direction, distance)
    spent = ground.rough_cost(state, ahead.scenery, at, place) if ahead.is_rough else floor_sqrt(squared(at, place))
    return (
        spent > limit
        or any(segment_near_outline(at, place, area.outline, radius) for area in ahead.closed)
        or bool(room.fault(place, radius))
    )


def _open_until(at: Point, direction: Point, ahead: Ahead, radius: int, limit: int, stops: Stops) -> int:
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


def _landing(room: FormationRoom, direction: Point, radius: int, limit: int) -> int:
    """Return the farthest distance at which a flying leader may end: they pass over places at which they may not."""
    at = room.lead

    def is_open(distance: int) -> bool:
        place = along(at, direction, distance)
        return not room.fault(place, radius) and floor_sqrt(squared(at, place)) <= limit

    if is_open(limit):
        return limit
    return next((TENTH * tenths for tenths in reversed(range(limit // TENTH)) if is_open(TENTH * tenths)), 0)
