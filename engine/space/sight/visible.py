"""The ground that an eye sees past features and groups, as one outline around it.

Along each direction it ends where the first thing blocks, by the rules of `lines` for a target that is a mere point:
- an area shows its own ground and hides what lies behind it: of one with bays, all behind the first way out of it;
- a barrier hides what lies behind it;
- a group hides what lies behind the widest line across its bases; one that stands around the eye hides nothing.

Corners are rounded to whole hundredths; nothing else is, but for the tangents to bases (down by less than one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import atan2, isqrt
from typing import Final, NamedTuple

from engine.space.sight.lines import Formation
from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import Scenery
from engine.space.vectors.hulls import edges_of, point_near_hull
from engine.space.vectors.outlines import Outline, outline_of
from engine.space.vectors.points import Point, Segment, cross, divide

MOST_CORNERS: Final = 160
"""Of an outline: the corners that change it least are left out."""
_ROUND: Final = (
    (5, 0),
    (4, 3),
    (3, 4),
    (0, 5),
    (-3, 4),
    (-4, 3),
    (-5, 0),
    (-4, -3),
    (-3, -4),
    (0, -5),
    (3, -4),
    (4, -3),
)
"""Twelve corners of a circle of radius 5."""


def visible_ground(scenery: Scenery, eye: Base, others: Iterable[Formation], limit: int = 0) -> Outline:
    """Return the ground of the table that a figure sees, counter-clockwise, with at most MOST_CORNERS corners.

    `others`: the groups that block. `limit`: the farthest that it sees, 0 without one; the circle has twelve corners.
    """
    screens = [_Screen.of(eye.at, *segment) for segment in _blocking(scenery, eye, others, limit)]
    ground = list(_outline(eye.at, [screen for screen in screens if screen.size]))
    return tuple(_thinned([b for a, b in pairwise([ground[-1], *ground]) if a != b]))


def _blocking(scenery: Scenery, eye: Base, others: Iterable[Formation], limit: int) -> Iterator[Segment]:
    """Yield the segments of which no line from the eye passes any; the table's edges are the last that it meets."""
    at = eye.at
    yield from _way_out(at, outline_of((0, 0, scenery.width, scenery.height)))
    if limit:
        yield from _way_out(at, tuple((at[0] + x * limit // 5, at[1] + y * limit // 5) for x, y in _ROUND))
    for area in scenery.areas:
        if area.blocks_sight and not area.holds(at):
            yield from _way_out(at, area.outline)
    for barrier in scenery.barriers:
        if barrier.blocks_sight and not barrier.near(at, eye.radius + TOUCH):
            yield from barrier.edges
    for group in others:
        if not point_near_hull(at, group.hull, group.radius):
            yield _across(at, group)


def _way_out(eye: Point, outline: Outline) -> list[Segment]:
    """Return the edges of a counter-clockwise outline by which lines from the eye leave it."""
    return [edge for edge in edges_of(outline) if cross(*edge, eye) > 0]


def _across(eye: Point, group: Formation) -> Segment:
    """Return the line across a group's bases between the outermost tangents from the eye."""
    square, left, right = group.radius * group.radius, eye, eye
    for x, y in group.hull:
        dx, dy = x - eye[0], y - eye[1]
        length = dx * dx + dy * dy
        ahead, aside = length - square, group.radius * isqrt(length - square)
        one = eye[0] + (dx * ahead - dy * aside) // length, eye[1] + (dy * ahead + dx * aside) // length
        other = eye[0] + (dx * ahead + dy * aside) // length, eye[1] + (dy * ahead - dx * aside) // length
        left = one if left == eye or cross(eye, left, one) > 0 else left
        right = other if right == eye or cross(eye, right, other) < 0 else right
    return right, left


class _Screen(NamedTuple):
    """A segment as seen from the eye: its two ends relative to it, counter-clockwise, and twice the area of the
    triangle between: 0 where it is seen end on, and hides nothing."""

    start: Point
    end: Point
    size: int

    @staticmethod
    def of(eye: Point, a: Point, b: Point) -> _Screen:
        """Return the screen that a segment is."""
        start, end = (a[0] - eye[0], a[1] - eye[1]), (b[0] - eye[0], b[1] - eye[1])
        size = start[0] * end[1] - start[1] * end[0]
        return _Screen(start, end, size) if size >= 0 else _Screen(end, start, -size)

    def nearness(self, towards: Point) -> int:
        """Return `size` times the number of the steps `towards` that reach the screen's line, inverted: along a line of
        directions it grows evenly."""
        (ax, ay), (bx, by) = self.start, self.end
        return towards[0] * (by - ay) - towards[1] * (bx - ax)

    def met(self, eye: Point, towards: Point) -> Point:
        """Return the point of the screen in a direction."""
        steps = self.nearness(towards)
        return eye[0] + divide(towards[0] * self.size, steps), eye[1] + divide(towards[1] * self.size, steps)


def _outline(eye: Point, screens: list[_Screen]) -> Iterator[Point]:
    """Yield the corners of the ground before the nearest screens; where there is none, the eye is one."""
    # whole numbers of a table are far enough apart for the angles to be told apart
    angles = {end: atan2(end[1], end[0]) for screen in screens for end in screen[:2]}
    ordered = sorted(angles, key=angles.__getitem__)
    places: dict[Point, int] = {}
    towards: list[Point] = []
    for end in ordered:
        last = towards[-1] if towards else None
        if last is None or last[0] * end[1] != last[1] * end[0] or last[0] * end[0] + last[1] * end[1] < 0:
            towards.append(end)
        places[end] = len(towards) - 1
    count = len(towards)
    between: list[list[_Screen]] = [[] for _ in towards]
    for screen in screens:
        first, last_place = places[screen.start], places[screen.end]
        for place in range(first, last_place if first < last_place else last_place + count):
            between[place % count].append(screen)
    for place, facing in enumerate(between):
        start, end = towards[place], towards[(place + 1) % count]
        if facing:
            yield from _nearest(eye, start, end, facing)
        else:
            yield eye


def _nearest(eye: Point, start: Point, end: Point, facing: list[_Screen]) -> Iterator[Point]:
    """Yield the corners of the nearest screens between two directions; each screen spans both.

    The nearness of a screen grows evenly from one to the other, so the nearest at both ends is nearest in between; else
    screens cross each other.
    """
    first = last = facing[0]
    first_at, first_end = first.nearness(start), first.nearness(end)
    last_at, last_end = first_at, first_end
    for screen in facing[1:]:
        at, to = screen.nearness(start), screen.nearness(end)
        ahead = at * first.size - first_at * screen.size
        if ahead > 0 or (ahead == 0 and to * first.size > first_end * screen.size):
            first, first_at, first_end = screen, at, to
        behind = to * last.size - last_end * screen.size
        if behind > 0 or (behind == 0 and at * last.size > last_at * screen.size):
            last, last_at, last_end = screen, at, to
    yield first.met(eye, start)
    if first is not last:
        yield from _crossings(eye, start, end, first, last, facing)
    yield last.met(eye, end)


def _crossings(
    eye: Point, start: Point, end: Point, first: _Screen, last: _Screen, facing: list[_Screen]
) -> Iterator[Point]:
    """Yield the points at which the nearest screen gives way to a nearer one, from the first to the last."""

    def share_at(screen: _Screen, other: _Screen) -> Fraction | None:
        """Return the share of the way between the directions at which `other` comes before `screen`."""
        lead = screen.nearness(start) * other.size - other.nearness(start) * screen.size
        gain = other.nearness(end) * screen.size - screen.nearness(end) * other.size + lead
        return Fraction(lead, gain) if gain > 0 else None

    now, reached = first, Fraction(0)
    while now is not last:
        shares = [
            (share, other) for other in facing if (share := share_at(now, other)) is not None and share >= reached
        ]
        share, following = min(shares, key=lambda pair: pair[0], default=(Fraction(1), last))
        if share >= 1:
            return
        unit, done = share.denominator, share.numerator
        towards = start[0] * (unit - done) + end[0] * done, start[1] * (unit - done) + end[1] * done
        yield now.met(eye, towards)
        now, reached = following, share


def _thinned(corners: list[Point]) -> list[Point]:
    """Leave out the corners that change the outline least, as many as are too many."""
    surplus = len(corners) - MOST_CORNERS
    if surplus <= 0:
        return corners
    count = len(corners)
    change = [abs(cross(corners[n - 1], corners[n], corners[(n + 1) % count])) for n in range(count)]
    out = set(sorted(range(count), key=change.__getitem__)[:surplus])
    return [corner for n, corner in enumerate(corners) if n not in out]
