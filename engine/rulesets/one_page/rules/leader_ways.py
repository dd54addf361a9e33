"""Obstacles on the straight ways of a leader, and the reach in every direction (OP-MOVE-01, OP-MOVE-03)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Final

from engine.core.rules.implements import implements
from engine.kit.board.formations import cluster
from engine.rulesets.one_page.rules import formations, ground, traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.bisection import first_met
from engine.space.vectors.outlines import Outline, segment_near_outline
from engine.space.vectors.points import Box, Point, box_around, boxes_meet, floor_sqrt, point_nearer, squared, widened

TENTH: Final = 10


class WayObstacles:
    """Obstacles for the leader of a unit on straight ways inside a box, worked out once for all of them; a flying unit
    has none."""

    def __init__(self, state: Battle, unit: Unit, box: Box, contact: Collection[str] = ()) -> None:
        self.flies = traits.has(state, unit, rules.FLYING)
        self.radius = traits.radius(state, state.leader(unit))
        self.clear: list[tuple[Point, int]] = []
        self.closed: list[PreparedArea] = []
        if self.flies:
            return
        left, bottom, right, top = widened(box, self.radius + formations.WIDEST)
        self.clear = [
            (base.at, base.radius + self.radius + apart)
            for base, apart in formations.kept_clear(state, unit, contact)
            if left <= base.at[0] <= right and bottom <= base.at[1] <= top
        ]
        near = widened(box, self.radius)
        self.closed = [area for area in formations.closed(state, unit) if boxes_meet(area.box, near)]

    @implements("OP-MOVE-01")
    def closed_on(self, a: Point, b: Point) -> PreparedArea | None:
        """Return the piece closed to the unit that a way leads into, if any."""
        return next((area for area in self.closed if segment_near_outline(a, b, area.outline, self.radius)), None)

    @implements("OP-MOVE-01", "OP-MOVE-03")
    def is_too_near(self, a: Point, b: Point) -> bool:
        """Tell if a way leads too near to another unit."""
        return _is_too_near(self.clear, a, b)

    def beside(self, a: Point, b: Point) -> list[tuple[Point, int]]:
        """Return those of `clear` that the line through two places comes near to, a hundredth more or less."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = floor_sqrt(dx * dx + dy * dy) + 1
        return [
            (at, reach)
            for at, reach in self.clear
            if abs(dx * (at[1] - a[1]) - dy * (at[0] - a[0])) <= (reach + 1) * length
        ]


def _is_too_near(clear: Iterable[tuple[Point, int]], a: Point, b: Point) -> bool:
    return any(point_nearer(at, a, b, reach) and not _leaves(at, a, b, reach) for at, reach in clear)


def region(state: Battle, unit: Unit, limit: int) -> Outline:
    """Return the outline in which the leader can end a straight way; between two directions it reaches as far as both
    do. A leader who is hemmed in has one corner: the own place."""
    at = state.leader(unit).at
    reaches = farthest(state, unit, limit)
    found: list[Point] = []
    for number, direction in enumerate(DIRECTIONS):
        after = (number + 1) % len(DIRECTIONS)
        both = min(reaches[number], reaches[after])
        found += [along(at, direction, both), along(at, DIRECTIONS[after], both)]
    return tuple([p for p, before in zip(found, [found[-1], *found], strict=False) if p != before]) or (at,)


def farthest(state: Battle, unit: Unit, limit: int) -> list[int]:
    """Return the leader's reach in each of DIRECTIONS, rounded down to a tenth of an inch."""
    at = state.leader(unit).at
    around = WayObstacles(state, unit, box_around(at, limit))
    room, is_eased = formations.FormationRoom(state, unit, at, reach=limit), ground.is_eased(state, unit)

    def stops(direction: Point, clear: Sequence[tuple[Point, int]], distance: int) -> bool:
        place = along(at, direction, distance)
        if around.flies:
            return bool(room.fault(place, around.radius)) or floor_sqrt(squared(at, place)) > limit
        return (
            (floor_sqrt(squared(at, place)) if is_eased else ground.rough_cost(state, at, place)) > limit
            or _is_too_near(clear, at, place)
            or around.closed_on(at, place) is not None
            or bool(room.fault(place, around.radius))
        )

    found: list[int] = []
    for direction in DIRECTIONS:
        clear = around.beside(at, along(at, direction, limit))
        if not around.flies:
            # no other base is near enough to the ends of these ways
            discs = [(*base, reach - around.radius) for base, reach in clear]
            room.clear = [cluster(discs)] if discs else []
        found.append(_reach(partial(stops, direction, clear), limit, flies=around.flies))
    return found


def _reach(stops: Callable[[int], bool], limit: int, *, flies: bool) -> int:
    """Return the farthest distance that nothing stops. An obstacle on the way stops all longer ways; a flying unit
    passes over places at which it may not end."""
    if not stops(limit):
        return limit
    steps = range(limit // TENTH)
    if flies:
        return next((TENTH * n for n in reversed(steps) if not stops(TENTH * n)), 0)
    return TENTH * max(0, first_met(lambda n: stops(TENTH * n), len(steps)) - 1)


def _leaves(base: Point, a: Point, b: Point, reach: int) -> bool:
    """Tell if a way that begins too near to a base only leads away from it."""
    away = (b[0] - a[0]) * (base[0] - a[0]) + (b[1] - a[1]) * (base[1] - a[1]) <= 0
    return away and squared(base, a) < reach * reach
