"""Who could see a place, as a bot judges it: terrain only, from the middle of a group."""

from __future__ import annotations

from engine.space.features import Area, Barrier, PreparedArea, PreparedBarrier, Scenery, scenery
from engine.space.vectors import Point, box_of, boxes_meet
from protocol.scene import Feature

TOUCHING = 55
"""Who is so near to a barrier looks over it."""
MOST_KEPT = 4096


class Lines:
    """Lines of sight past the terrain that blocks them."""

    def __init__(self, size: Point, features: dict[str, Feature]) -> None:
        blocking = {id: feature for id, feature in features.items() if feature.blocks}
        areas = [Area(id, f.outline, True) for id, f in blocking.items() if not f.line]
        barriers = [Barrier(id, f.outline, True) for id, f in blocking.items() if f.line]
        self.features = features
        self._scenery: Scenery = scenery(*size, areas, barriers)
        self._known: dict[tuple[Point, Point], bool] = {}

    def clear(self, a: Point, b: Point) -> bool:
        """Whether nothing that stands on the table hides one place from the other."""
        known = self._known.get((a, b))
        if known is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            known = self._known[a, b] = self._look(a, b)
        return known

    def _look(self, a: Point, b: Point) -> bool:
        box = box_of((a, b))
        return not any(boxes_meet(box, area.box) and _hides(area, a, b) for area in self._scenery.areas) and not any(
            boxes_meet(box, barrier.box) and _shuts(barrier, a, b) for barrier in self._scenery.barriers
        )


def _hides(area: PreparedArea, a: Point, b: Point) -> bool:
    return not area.holds(a) and not area.holds(b) and area.pierced_by(a, b)


def _shuts(barrier: PreparedBarrier, a: Point, b: Point) -> bool:
    return barrier.crossed_by(a, b) and not barrier.near(a, TOUCHING) and not barrier.near(b, TOUCHING)
