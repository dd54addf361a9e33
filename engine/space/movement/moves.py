"""Straight moves of one round base: how far it comes, what stops it, whether a declared move is legal.

A path runs straight from centre to centre. It ends
- at a base that it meets (touching counts; a base that it leaves behind from the start does not),
- past the edge of an area that it enters, or past a barrier that it crosses, by at most `beyond`,
- before an impassable area that the base would overlap, and at the edge of the table,
- when the allowance is used up.
At its end the base overlaps no other base and its centre does not lie on a barrier. Bases that may be passed stop
nothing, but may not be overlapped at the end. An area that holds the start is left freely; the path may stay in it.

Distances along a path are whole hundredths; the point at a distance is `towards(start, goal, distance)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from math import isqrt
from typing import Final

import msgspec

from engine.space.terrain.contact import TOUCH, Base, first_overlapped
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.vectors.outlines import segment_near_outline
from engine.space.vectors.points import (
    Box,
    Id,
    Point,
    Segment,
    box_between,
    floor_sqrt,
    on_segment,
    point_nearer,
    squared,
    towards,
    widened,
)
from protocol.ids import NO_FIGURE


class EndCause(StrEnum):
    """The reason why a move ends, or is not legal."""

    GOAL = "goal"
    ALLOWANCE = "allowance"
    CONTACT = "contact"
    AREA = "area"
    BARRIER = "barrier"
    IMPASSABLE = "impassable"
    OVERLAP = "overlap"
    TABLE_EDGE = "table-edge"


class MoveEnd(msgspec.Struct, frozen=True):
    """The end of a move with its cause; `what` is the id of the base, area or barrier concerned, None otherwise."""

    point: Point
    cause: EndCause
    what: Id | None = None


class Way(msgspec.Struct, frozen=True):
    """The things that a base may meet on its way: the table, bases that stop it, bases that it may pass.

    `beyond` is how far past an edge it may end, usually the width of its base; at least 2.
    """

    scenery: Scenery
    radius: int
    beyond: int
    stopping: tuple[Base, ...] = ()
    passing: tuple[Base, ...] = ()


def nearby(way: Way, box: Box) -> Way:
    """Return the same way with only those bases and features that a path within the box may meet."""
    left, bottom, right, top = widened(box, way.radius + TOUCH)

    def near(bases: tuple[Base, ...]) -> tuple[Base, ...]:
        return tuple(
            [
                b
                for b in bases
                if left <= b.at[0] + b.radius
                and b.at[0] - b.radius <= right
                and bottom <= b.at[1] + b.radius
                and b.at[1] - b.radius <= top
            ]
        )

    scenery = way.scenery
    areas, barriers = scenery.areas_near((left, bottom, right, top)), scenery.barriers_near(box)
    if len(areas) + len(barriers) < len(scenery.areas) + len(scenery.barriers):
        scenery = Scenery(scenery.width, scenery.height, areas, barriers)
    return Way(scenery, way.radius, way.beyond, near(way.stopping), near(way.passing))


class _Stop(msgspec.Struct, frozen=True):
    """A limit of a path: it may end at most `limit` along; a move that would go on is best ended at `best`."""

    best: int
    limit: int
    cause: EndCause
    what: Id | None = None


def clip_move(way: Way, start: Point, goal: Point, allowance: int) -> MoveEnd:
    """Return the farthest legal end of a straight move from start towards goal.

    The cause is GOAL where it gets there, even if that is in contact or just inside an area. `straight_move_fault`
    finds nothing wrong with the end. Where there is no room to move at all the end is the start.
    """
    return clip_among(nearby(way, box_between(start, towards(start, goal, allowance))), start, goal, allowance)


def clip_among(way: Way, start: Point, goal: Point, allowance: int) -> MoveEnd:
    """Return what `clip_move` does, for a way that holds hardly more than what may be met."""
    end = towards(start, goal, allowance)
    ended = MoveEnd(end, EndCause.GOAL if end == goal else EndCause.ALLOWANCE)
    if not way.stopping and not way.scenery.areas and not way.scenery.barriers and is_free(way, end):
        return ended
    length = distance = floor_sqrt(squared(start, end))
    for stop in _first_stops(way, start, end):
        if stop.limit < length and stop.best < distance:
            distance, ended = stop.best, MoveEnd(end, stop.cause, stop.what)
    if distance == length and _end_fault(way, start, end, allowance) is None:
        return ended  # nothing on the way stops it
    # A cut coordinate may put the point a hundredth to the side, and a base that may be passed may stand there.
    for _ in range(_STEPS_BACK + len(way.passing)):
        point = end if distance == length else towards(start, end, distance)
        fault = _fault(way, start, point, allowance)
        if fault is None:
            return MoveEnd(point, ended.cause, ended.what)
        base = next((b for b in way.passing if fault.cause is EndCause.OVERLAP and b.id == fault.what), None)
        if base is not None:
            ended = fault
            distance = min(
                distance, _first(start, end, length, _overlaps_on_way(start, base.at, way.radius + base.radius))
            )
        distance -= 1
        if distance <= 0:
            break
    return MoveEnd(start, ended.cause, ended.what)


def straight_move_fault(way: Way, start: Point, end: Point, allowance: int) -> MoveEnd | None:
    """Return the reason why the straight move from start to end is not legal, None where it is. `point` is the end
    asked for."""
    return _fault(nearby(way, box_between(start, end)), start, end, allowance)


def _fault(way: Way, start: Point, end: Point, allowance: int) -> MoveEnd | None:
    fault = _end_fault(way, start, end, allowance)
    if fault is not None and fault.cause is not EndCause.BARRIER:
        return fault
    if fault is None and _ends_well(way, start, end):
        return None
    length = floor_sqrt(squared(start, end))
    for stop in _stops(way, start, end):
        if stop.limit < length:
            return MoveEnd(end, stop.cause, stop.what)
    return fault


def _ends_well(way: Way, start: Point, end: Point) -> bool:
    """Tell whether nothing on the way forbids such an end, as far as one look at each thing can tell; `_stops` decides
    the others.

    Nearly all ends asked about are those of clipped moves: at most one edge behind them, and no farther than they may
    lie. The exact place does not matter then.
    """
    scenery, radius = way.scenery, way.radius
    for base in way.stopping:
        if point_nearer(base.at, start, end, radius + base.radius + TOUCH):
            return False
    box = box_between(start, end)
    too_far = floor_sqrt(squared(start, end)) - way.beyond - 1
    before = towards(start, end, too_far) if too_far > 0 else start
    crossed = False
    for area in scenery.areas_near(widened(box, radius)):
        if area.impassable:
            if segment_near_outline(start, end, area.outline, radius):
                return False
        elif not area.holds(start) and _enters(area, start, end):
            if crossed or not area.holds(end) or _enters(area, start, before):
                return False
            crossed = True
    for barrier in scenery.barriers_near(box):
        if barrier.crossed_by(start, end) and not barrier.near(start, 1):
            if crossed or barrier.crossed_by(start, before):
                return False
            crossed = True
    return True


def _end_fault(way: Way, start: Point, end: Point, allowance: int) -> MoveEnd | None:
    """Return the fault of the end alone, whatever lies on the way; None without one."""
    scenery = way.scenery
    if squared(start, end) > allowance * allowance:
        return MoveEnd(end, EndCause.ALLOWANCE)
    if not scenery.has_disc(end, way.radius):
        return MoveEnd(end, EndCause.TABLE_EDGE)
    if way.stopping or way.passing:
        overlapped = first_overlapped(Base(NO_FIGURE, end, way.radius), (*way.stopping, *way.passing))
        if overlapped is not None:
            return MoveEnd(end, EndCause.OVERLAP, overlapped.id)
    for barrier in scenery.barriers_near(box_between(end, end)):
        if any(on_segment(end, a, b) for a, b in barrier.edges):
            return MoveEnd(end, EndCause.BARRIER, barrier.id)
    return None


def is_free(way: Way, p: Point) -> bool:
    """Tell whether a base lies on the table there and overlaps none of those that may be passed."""
    return way.scenery.has_disc(p, way.radius) and first_overlapped(Base(NO_FIGURE, p, way.radius), way.passing) is None


_STEPS_BACK: Final = 8
_AROUND: Final = (2, 0, 6)
"""Distances tried beside a guess: coordinates are cut towards the start, so that the true one is mostly 1 or 2 farther
on."""
_ASIDE: Final = 5
"""Hundredths: no place along a path, and none a hundredth farther on, lies so far beside the straight line to a place
behind it."""
_SAME_PLACE: Final = 2
"""Edges at most so far apart along a path count as met together: a wall on the edge of its yard."""


def _stops(way: Way, start: Point, end: Point) -> list[_Stop]:
    """Return all that a path from start to end meets, with how far along it may then end."""
    length, radius = floor_sqrt(squared(start, end)), way.radius
    found = [_contact(base, start, end, length, radius + base.radius) for base in way.stopping]
    edge, ground = _table_edge(way, start, end, length), _ground_stops(way, start, end, length)
    return [*edge, *[stop for stop in found if stop is not None], *ground]


def _first_stops(way: Way, start: Point, end: Point) -> list[_Stop]:
    """Return the same without bases that are certainly met farther along than something else: behind the wall at which
    a way ends they do not matter."""
    length, radius = floor_sqrt(squared(start, end)), way.radius
    edge, ground = _table_edge(way, start, end, length), [*_ground_stops(way, start, end, length)]
    distance = min([stop.best for stop in (*edge, *ground) if stop.limit < length], default=length)
    last = towards(start, end, distance)
    contacts: list[_Stop] = []
    for base in way.stopping:
        reach = radius + base.radius
        if not point_nearer(base.at, start, last, reach + TOUCH + _ASIDE):
            continue
        stop = _contact(base, start, end, length, reach)
        if stop is not None:
            contacts.append(stop)
            if stop.limit < length and stop.best < distance:
                distance, last = stop.best, towards(start, end, stop.best)
    return [*edge, *contacts, *ground]


def _table_edge(way: Way, start: Point, end: Point, length: int) -> list[_Stop]:
    scenery, radius = way.scenery, way.radius
    if scenery.has_disc(end, radius):
        return []
    guess = _leaves_table(scenery, start, end, length, radius)
    last = _first(start, end, length, lambda p: not scenery.has_disc(p, radius), guess) - 1
    return [_Stop(last, last, EndCause.TABLE_EDGE)]


def _ground_stops(way: Way, start: Point, end: Point, length: int) -> Iterator[_Stop]:
    """Yield the stops of areas and barriers on a path."""
    scenery, radius = way.scenery, way.radius
    box = box_between(start, end)
    crossings: list[_Stop] = []
    for area in scenery.areas_near(widened(box, radius)):
        if area.impassable:
            if segment_near_outline(start, end, area.outline, radius):
                last = _first(start, end, length, _runs_into(start, area, radius)) - 1
                yield _Stop(last, last, EndCause.IMPASSABLE, area.id)
        elif not area.holds(start) and _enters(area, start, end):
            crossings.append(_entry(start, end, length, area, way.beyond))
    for barrier in scenery.barriers_near(box):
        if barrier.crossed_by(start, end) and not barrier.near(start, 1):
            guess = min(_meetings(start, end, length, barrier.edges), default=0)
            place = _after(start, end, length, _crosses(start, barrier), guess)
            crossings.append(_Stop(place, place + way.beyond, EndCause.BARRIER, barrier.id))
    if crossings:
        yield _end_of_crossing(crossings)


def _entry(start: Point, end: Point, length: int, area: PreparedArea, beyond: int) -> _Stop:
    """Return the place where a path enters an area, and how far it may then go on without leaving it again."""
    met = _meetings(start, end, length, area.edges)
    place = _after(start, end, length, lambda p: _enters(area, start, p), min(met, default=0))
    limit = place + beyond
    if not area.holds(end):
        if area.convex and limit < length and area.holds(towards(start, end, limit)):
            return _Stop(place, limit, EndCause.AREA, area.id)  # it is left later than that
        # an area that is not convex may be left and entered again: bisection then has no good guess
        guess = max(met, default=0) if area.convex else 0
        left = _after(start, end, length, lambda p: not area.holds(p) and _enters(area, start, p), guess)
        limit = min(limit, left - 1)
    return _Stop(place, limit, EndCause.AREA, area.id)


def _end_of_crossing(crossings: list[_Stop]) -> _Stop:
    """Return the stop of the first edge crossed, which ends the move at the latest before the next one."""
    first = min(crossings, key=lambda c: c.best)
    later = [c.best - 1 for c in crossings if c.best > first.best + _SAME_PLACE]
    last = min([first.limit, *later])
    return _Stop(last, last, first.cause, first.what)


def _contact(base: Base, start: Point, end: Point, length: int, reach: int) -> _Stop | None:
    """Return the place where a path first touches a base, and how far it may then go on while touching without
    overlapping it."""
    at = base.at
    along = (end[0] - start[0]) * (at[0] - start[0]) + (end[1] - start[1]) * (at[1] - start[1])
    if along <= 0 or not point_nearer(at, start, end, reach + TOUCH):
        return None

    def gone_too_far(p: Point) -> bool:
        if point_nearer(at, start, p, reach):
            return True
        return squared(p, at) >= (reach + TOUCH) ** 2 and point_nearer(at, start, p, reach + TOUCH)

    if not gone_too_far(end):
        return None
    aside = max(0, squared(start, at) * length * length - along * along)
    guess = (along - floor_sqrt(max(0, ((reach + TOUCH) * length) ** 2 - aside))) // length
    limit = _first(start, end, length, gone_too_far, guess + TOUCH) - 1
    best = _first(start, end, length, lambda p: point_nearer(at, start, p, reach + TOUCH), guess)
    return _Stop(min(best, limit), limit, EndCause.CONTACT, base.id)


def _overlaps_on_way(start: Point, at: Point, reach: int) -> Callable[[Point], bool]:
    return lambda p: point_nearer(at, start, p, reach)


def _runs_into(start: Point, area: PreparedArea, radius: int) -> Callable[[Point], bool]:
    return lambda p: segment_near_outline(start, p, area.outline, radius)


def _enters(area: PreparedArea, start: Point, p: Point) -> bool:
    """Tell whether the way from a start that the area does not hold leads into it, or to its edge."""
    return area.holds(p) or area.pierced_by(start, p)


def _crosses(start: Point, barrier: PreparedBarrier) -> Callable[[Point], bool]:
    return lambda p: barrier.crossed_by(start, p)


def _meetings(start: Point, end: Point, length: int, edges: Sequence[Segment]) -> list[int]:
    """Return about how far along a path it properly crosses edges: guesses for `_first`."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    found: list[int] = []
    for (cx, cy), (ex, ey) in edges:
        fx, fy = cx - start[0], cy - start[1]
        if (dx * fy - dy * fx > 0) == (dx * (ey - start[1]) - dy * (ex - start[0]) > 0):
            continue
        distance = length * (fx * (ey - cy) - fy * (ex - cx)) // (dx * (ey - cy) - dy * (ex - cx))
        if 0 <= distance <= length:
            found.append(distance)
    return found


def _leaves_table(scenery: Scenery, start: Point, end: Point, length: int, radius: int) -> int:
    """Return about how far along a path that ends over the edge of the table a base first lies over it."""
    guess = length
    for at, to, size in ((start[0], end[0], scenery.width), (start[1], end[1], scenery.height)):
        room = at - radius if to < at else size - radius - at
        if abs(to - at) > max(0, room):  # a base over the edge from the start has no room at all
            guess = min(guess, length * room // abs(to - at))
    return guess


def _first(start: Point, end: Point, length: int, met: Callable[[Point], bool], guess: int = 0) -> int:
    """Return the distance along a path at which something that its whole length meets is first met."""
    return 0 if met(start) else _after(start, end, length, met, guess)


def _after(start: Point, end: Point, length: int, met: Callable[[Point], bool], guess: int) -> int:
    """Return the same for what is not met at the start, by bisection.

    A guess near the truth leaves little to bisect. The result depends on it only where the path passes a corner so
    closely that its points, cut to hundredths, lie before and behind it in turn.
    """
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    wide, tall, square = dx * dx, dy * dy, dx * dx + dy * dy
    tried = [guess + beside for beside in reversed(_AROUND)]
    before, after = 0, length
    while after - before > 1:
        place = tried.pop() if tried else (before + after) // 2
        if not before < place < after:
            continue
        # `towards(start, end, place)`, spelled out in the innermost loop; the place is nearer than the end
        far = place * place
        along, aside = isqrt(wide * far // square), isqrt(tall * far // square)
        if met((x + along if dx > 0 else x - along, y + aside if dy > 0 else y - aside)):
            after = place
        else:
            before = place
    return after
