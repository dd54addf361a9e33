"""Ways of a mover with a heading: straight ahead or behind, one turn of up to 90 degrees, and straight on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.space.terrain.contact import TOUCH, Base
from engine.space.vectors.headings import STEP, UNIT, ahead, heading
from engine.space.vectors.outlines import Outline, contains, point_near_outline
from engine.space.vectors.paths import path_length, point_at
from engine.space.vectors.points import Point, divide, floor_sqrt, squared

QUARTER: Final = 90
NOTCH: Final = 5
"""Distances of a way are told in these, in hundredths."""
ROUNDING: Final = 10
"""Greatest rounding error of a place along a heading, in hundredths."""
STRIDE: Final = 25
"""Hundredths between the places at which a touch is looked for first."""


class Steering(NamedTuple):
    """A distance before the turn (negative: behind), the heading after it, and the distance from there."""

    before: int
    facing: int
    after: int


def turned(old: int, new: int) -> int:
    """Return by how many degrees two headings differ, 180 at most."""
    return abs((new - old + 180) % 360 - 180)


def turns(old: int, most: int = QUARTER) -> list[int]:
    """Return the headings after one turn of at most so many degrees, from the farthest clockwise on."""
    return [(old + turn) % 360 for turn in range(-most, most + 1, STEP)]


def turn_towards(start: Point, goal: Point, old: int) -> int:
    """Return the heading after one turn that is nearest to the direction of a place."""
    aside = (goal[0] - start[0], goal[1] - start[1])
    return max(turns(old), key=lambda angle: _dot(aside, angle))


def steered(start: Point, old: int, corners: Sequence[Point]) -> Steering:
    """Return the drive that comes nearest to the end of a way: it turns at the start, or at the corner, which lies
    ahead or behind, towards the end, and away from an end that lies behind."""
    before = _along(start, corners[0] if len(corners) > 1 else start, old)
    corner, end = ahead(start, old, before), corners[-1]
    aside = (end[0] - corner[0], end[1] - corner[1])
    back = -_dot(aside, old)
    # half a step of headings behind a right angle is a right angle still
    is_behind = back > 0 and (20 * back) ** 2 > UNIT**2 * squared(corner, end)
    sign = -1 if is_behind else 1
    facing = max(turns(old), key=lambda angle: (sign * _dot(aside, angle), -turned(old, angle)))
    return Steering(before, facing, _along(corner, end, facing))


class Leg(NamedTuple):
    """A piece of a way: the heading after a turn at its start, and the distance along it, negative behind."""

    facing: int
    distance: int


def legs(start: Point, old: int, corners: Sequence[Point], most: int) -> tuple[Leg, ...]:
    """Return the pieces that come nearest to the corners of a way, one after another, each after a turn of at most
    `most` degrees: ahead, or behind where that leads nearer."""
    found: list[Leg] = []
    for corner in corners:
        aside = (corner[0] - start[0], corner[1] - start[1])
        far = {angle: _dot(aside, angle) for angle in turns(old, most)}
        facing = max(far, key=lambda angle: (abs(far[angle]), far[angle], -turned(old, angle)))
        leg = Leg(facing, _along(start, corner, facing))
        found.append(leg)
        start, old = ahead(start, facing, leg.distance), facing
    return tuple(found)


class Course(NamedTuple):
    """Way of straight pieces: the places where it begins, turns and ends, the heading on each piece and at the end, and
    what it costs."""

    way: tuple[Point, ...]
    facings: tuple[int, ...]
    facing: int
    cost: int = 0

    @property
    def length(self) -> int:
        """The length of the way."""
        return path_length(self.way)

    def pose(self, distance: int) -> tuple[Point, int]:
        """Return the place and heading so far along the way; at its end those after the last turn."""
        if distance >= self.length:
            return self.way[-1], self.facing
        rest = distance
        for facing, (a, b) in zip(self.facings, pairwise(self.way), strict=True):
            if rest < (piece := floor_sqrt(squared(a, b))):
                return point_at(self.way, distance), facing
            rest -= piece
        return self.way[-1], self.facing

    def pieces(self, start: int, end: int) -> Iterator[tuple[Point, Leg]]:
        """Yield the pieces between two distances along the way, each with the place where it begins; the turn at the
        end as one of no length."""
        at, passed = point_at(self.way, start), 0
        for facing, (a, b) in zip(self.facings, pairwise(self.way), strict=True):
            length = floor_sqrt(squared(a, b))
            far = min(end, passed + length) - max(start, passed)
            if far > 0:
                leg = Leg(facing, far if _dot((b[0] - a[0], b[1] - a[1]), facing) >= 0 else -far)
                yield at, leg
                at = ahead(at, *leg)
            passed += length
        if end >= self.length:
            yield at, Leg(self.facing, 0)


def reach_turning(at: Point, old: int, limit: int, back: int, most: int = QUARTER) -> Outline:
    """Return the outline of where a mover comes that turns first, by at most so much: so far ahead, and so far
    behind."""
    angles = turns(old, most)
    return (*[ahead(at, angle, limit) for angle in angles], *[ahead(at, angle, -back) for angle in angles])


def first_touch(start: Point, facing: int, limit: int, gap: int, touches: Callable[[Point], bool]) -> int | None:
    """Return the distance along a heading, to the hundredth, at which something is touched; None where nothing is.
    `gap`: no touch is nearer than that."""
    strides = range(gap // STRIDE * STRIDE, limit + 1, STRIDE)
    met = next((far for far in strides if touches(ahead(start, facing, far))), None)
    if met is None:
        return None
    return next(far for far in range(max(0, met - STRIDE), met + 1) if touches(ahead(start, facing, far)))


class Touch(NamedTuple):
    """The touch of a disc with something: a lower bound of the distance that it goes from a place until it touches, and
    the test if it does there."""

    gap: Callable[[Point], int]
    holds: Callable[[Point], bool]


def touch_of(bases: Sequence[Base], outline: Outline | None, radius: int) -> Touch:
    """Return the touch of a disc with an outline, or, without one, with any of some bases."""
    if outline is not None:
        return Touch(lambda p: 0, lambda p: contains(p, outline) or point_near_outline(p, outline, radius + TOUCH))
    met = [(base.at, radius + base.radius + TOUCH) for base in bases]
    return Touch(
        lambda p: max(0, min(floor_sqrt(squared(p, at)) - reach - ROUNDING for at, reach in met)),
        lambda p: any(squared(p, at) < reach**2 for at, reach in met),
    )


def drives_into(start: Point, old: int, limit: int, goal: Point, touch: Touch, step: int) -> Iterator[Steering]:
    """Yield drives of at most `limit` that end at the first touch: they turn at each `step` of the way ahead, as near
    as they may towards a goal."""
    for before in range(0, limit, step):
        corner = ahead(start, old, before)
        facing = turn_towards(corner, goal, old)
        after = first_touch(corner, facing, limit - before, touch.gap(corner), touch.holds)
        if after is not None:
            yield Steering(before, facing, after)


def _dot(aside: Point, angle: int) -> int:
    x, y = heading(angle)
    return x * aside[0] + y * aside[1]


def _along(start: Point, end: Point, angle: int) -> int:
    """Return how far `end` lies along a heading, in notches, negative behind."""
    part = _dot((end[0] - start[0], end[1] - start[1]), angle)
    return divide(part, UNIT * NOTCH) * NOTCH
