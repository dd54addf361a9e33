"""Outlines of the ends of straight moves, to draw: hints only, `straight_move_fault` decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.space.movement.departures import clip_departure, is_far
from engine.space.movement.directions import COUNT, facing_bases, ways_around
from engine.space.movement.moves import Way, clip_among, nearby
from engine.space.terrain.contact import TOUCH, Base
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Box, Point, Segment, box_around, box_of, boxes_meet, towards, widened

_FULL: Final = 10_000
_EIGHTH: Final = ((10_000, 0), (9_914, 1_305), (9_659, 2_588), (9_239, 3_827), (8_660, 5_000), (7_934, 6_088))
"""Directions 7.5 degrees apart from 0 to 37.5, times ten thousand."""


def _directions() -> tuple[Point, ...]:
    quarter = [*_EIGHTH, (7_071, 7_071), *[(y, x) for x, y in reversed(_EIGHTH[1:])]]
    half = [*quarter, *[(-y, x) for x, y in quarter]]
    return (*half, *[(-x, -y) for x, y in half])


DIRECTIONS: Final = _directions()
"""48 directions, counter-clockwise from that of greater x, each about ten thousand long."""


OF_SEVERAL: Final = DIRECTIONS[::3]
"""Directions for each of several ways out, which are worked out in one go."""


def reach_region(way: Way, start: Point, allowance: int) -> Outline:
    """Return the ends of the farthest moves in 48 directions, counter-clockwise; neighbours at the same point count
    once."""
    return joined(reach_ends(way, start, allowance))


def reach_ends(way: Way, start: Point, allowance: int) -> tuple[Point, ...]:
    """Return the ends of the farthest moves in 48 directions, counter-clockwise."""
    return _ends(way, start, allowance, [None] * COUNT)


def renewed_ends(
    way: Way, start: Point, allowance: int, ends: Sequence[Point], changed: Iterable[Base]
) -> tuple[Point, ...]:
    """Return what `reach_ends` does, from its earlier result `ends` and the bases that have gone or come since
    (`changed`). Only directions whose way may meet one of them are looked at again."""
    met = facing_bases(start, changed, way.radius, allowance)
    return (
        _ends(way, start, allowance, [None if n in met else end for n, end in enumerate(ends)]) if met else tuple(ends)
    )


def _ends(way: Way, start: Point, allowance: int, known: Sequence[Point | None]) -> tuple[Point, ...]:
    """Return the ends of the farthest moves in 48 directions, computing those that are not known."""
    around = ways_around(nearby(way, box_around(start, allowance)), start, allowance)
    found: list[Point] = []
    for direction, there, end in zip(DIRECTIONS, around, known, strict=True):
        if end is None:
            end = clip_among(there, start, along(start, direction, allowance), allowance).point
        found.append(end)
    return tuple(found)


def departure_region(
    way: Way,
    edges: Sequence[Segment],
    middle: Point,
    allowance: int,
    size: int,
    directions: Sequence[Point] = DIRECTIONS,
) -> Outline:
    """Return the outline of `reach_region` for a move that leaves a feature by any of its edges; `size` is at least the
    distance from `middle`, a point in it, to its farthest edge."""
    return joined(departures(way, edges, middle, allowance, size, directions).ends)


def door_region(way: Way, door: Point, allowance: int) -> Outline:
    """Return the outline of `reach_region` for a move that leaves a hull by a door, one of several."""
    near, edges = nearby(way, box_around(door, allowance)), ((door, door),)
    goals = [along(door, direction, allowance) for direction in OF_SEVERAL]
    return joined([clip_departure(near, edges, goal, allowance).end.point for goal in goals])


class Departures(NamedTuple):
    """The ends of the farthest moves that leave a feature, one in each direction; the bases that decide an end meet its
    box in `boxes`."""

    ends: tuple[Point, ...]
    boxes: tuple[Box, ...]


def departures(
    way: Way,
    edges: Sequence[Segment],
    middle: Point,
    allowance: int,
    size: int,
    directions: Sequence[Point] = DIRECTIONS,
    known: Departures | None = None,
    changed: Iterable[Base] = (),
) -> Departures:
    """Return the ends for `departure_region`; with `known`, from its earlier result in the same directions and the
    bases `changed` since."""
    way = nearby(way, box_around(middle, allowance + size))
    moved = [box_around(base.at, base.radius) for base in changed]
    ends: list[Point] = []
    boxes: list[Box] = []
    for n, direction in enumerate(directions):
        if known is not None and not any(boxes_meet(known.boxes[n], box) for box in moved):
            ends.append(known.ends[n])
            boxes.append(known.boxes[n])
            continue
        goal = along(middle, direction, allowance + size)
        found = clip_departure(way, edges, goal, allowance)
        # where it is not far, every point of the edges near enough to the goal has been tried
        far = is_far(found.origin, goal, allowance)
        path = (found.origin, towards(found.origin, goal, allowance))
        ends.append(found.end.point)
        boxes.append(widened(box_of(path if far else (goal,)), way.radius + TOUCH + (0 if far else allowance)))
    return Departures(tuple(ends), tuple(boxes))


def along(start: Point, direction: Point, distance: int) -> Point:
    """Return the place so far from another in one of DIRECTIONS, rounded down."""
    return start[0] + direction[0] * distance // _FULL, start[1] + direction[1] * distance // _FULL


def joined(points: Sequence[Point]) -> Outline:
    """Join points to an outline, without those that are the same as the one before; one point where all are."""
    return tuple([p for i, p in enumerate(points) if p != points[i - 1]]) or tuple(points[:1])
