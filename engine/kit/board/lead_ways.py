"""Obstacles on the straight ways of a lead: bases that it keeps clear of, and closed areas."""

from __future__ import annotations

from collections.abc import Iterable

from engine.kit.board.formations import Cluster
from engine.space.terrain.features import PreparedArea
from engine.space.vectors.outlines import segment_near_outline
from engine.space.vectors.points import Box, Point, boxes_meet, in_box, point_nearer, squared, widened


class LeadWays:
    """Obstacles for a lead on straight ways inside a box, worked out once for all of them; who flies meets none.

    `radius`: of its base; `clear`: what any base keeps clear of, as a LeadRoom has it.
    """

    def __init__(
        self,
        box: Box,
        radius: int,
        clear: Iterable[Cluster],
        closed: Iterable[PreparedArea],
        *,
        flies: bool = False,
    ) -> None:
        self.flies = flies
        self.radius = radius
        self.clear: list[tuple[Point, int]] = []
        self.closed: list[PreparedArea] = []
        if flies:
            return
        near = widened(box, radius)
        discs = [disc for one in clear if boxes_meet(one.box, near) for disc in one.discs]
        self.clear = [((x, y), reach + radius) for x, y, reach in discs if in_box((x, y), widened(near, reach))]
        self.closed = [area for area in closed if boxes_meet(area.box, near)]

    def closed_on(self, a: Point, b: Point) -> PreparedArea | None:
        """Return the closed area that a way leads into, if any."""
        return next((area for area in self.closed if segment_near_outline(a, b, area.outline, self.radius)), None)

    def too_near(self, a: Point, b: Point) -> Point | None:
        """Return the middle of a base that a way leads too near to, if any."""
        near = (at for at, reach in self.clear if point_nearer(at, a, b, reach) and not leaves(at, a, b, reach))
        return next(near, None)


def leaves(base: Point, a: Point, b: Point, reach: int) -> bool:
    """Tell if a way that begins too near to a base only leads away from it."""
    away = (b[0] - a[0]) * (base[0] - a[0]) + (b[1] - a[1]) * (base[1] - a[1]) <= 0
    return away and squared(base, a) < reach * reach
