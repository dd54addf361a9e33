"""Obstacles on the straight ways of a leader (OP-MOVE-01, OP-MOVE-03)."""

from __future__ import annotations

from collections.abc import Collection

from engine.core.rules.implements import implements
from engine.rulesets.one_page.rules import formations, traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.state import Battle, Unit
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.outlines import segment_near_outline
from engine.space.vectors.points import Box, Point, boxes_meet, point_nearer, squared, widened


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
    def too_near(self, a: Point, b: Point) -> Point | None:
        """Return the middle of a base of another unit that a way leads too near to, if any."""
        near = (at for at, reach in self.clear if point_nearer(at, a, b, reach) and not leaves(at, a, b, reach))
        return next(near, None)


def leaves(base: Point, a: Point, b: Point, reach: int) -> bool:
    """Tell if a way that begins too near to a base only leads away from it."""
    away = (b[0] - a[0]) * (base[0] - a[0]) + (b[1] - a[1]) * (base[1] - a[1]) <= 0
    return away and squared(base, a) < reach * reach
