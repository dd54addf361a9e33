"""Moves that leave a feature: measured from an edge of it (or a door), not from the figure's place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from engine.space.movement.moves import MoveEnd, Way, clip_move, straight_move_fault
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import Point, Segment, floor_sqrt, nearest_on_segment, squared, towards

_SPACING: Final = 50
_CUT: Final = 3
"""Hundredths: rounding brings a point of an edge nearer by less than this."""


class Departure(msgspec.Struct, frozen=True):
    """A move that starts at a point of an edge."""

    origin: Point
    end: MoveEnd


def departure_origin(way: Way, edges: Sequence[Segment], goal: Point, allowance: int) -> Point | None:
    """Return a point of the edges from which the straight move to goal is legal: the nearest to goal of those tried,
    None where no point serves.

    Tried are the nearest point of every edge and points 50 hundredths apart along them, as far as the allowance
    reaches. A door is an edge of no length.
    """
    tried = [nearest_on_segment(goal, a, b) for a, b in edges]
    if all(is_far(p, goal, allowance) for p in tried):
        return None
    tried += [p for edge in edges for p in _along(*edge)]
    near = {(square, p) for p in tried if (square := squared(p, goal)) <= allowance * allowance}
    for _, origin in sorted(near):
        if straight_move_fault(way, origin, goal, allowance) is None:
            return origin
    return None


def is_far(p: Point, goal: Point, allowance: int) -> bool:
    """Tell whether no point of an edge is within the allowance of a goal, where p is the nearest, rounded."""
    return squared(p, goal) > (allowance + _CUT) ** 2


def clip_departure(way: Way, edges: Sequence[Segment], goal: Point, allowance: int) -> Departure:
    """Return the farthest legal end of a move from the edges towards goal: at goal where an origin serves, else as far
    as the straight way from the point of the edges nearest to goal allows."""
    origin = departure_origin(way, edges, goal, allowance)
    if origin is None:
        origin = nearest_on_edges(goal, edges)
    return Departure(origin, clip_move(way, origin, goal, allowance))


def _along(a: Point, b: Point) -> tuple[Point, ...]:
    """Return the points of an edge that are tried for every goal."""
    return (b, *[towards(a, b, distance) for distance in range(0, floor_sqrt(squared(a, b)), _SPACING)])
