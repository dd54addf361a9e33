"""Cover and lines of sight of places as a bot estimates them, cached for as long as the terrain stays: most places are
asked about again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, floor, pi
from typing import Final

from engine.rulesets.action_cards.bots.bot_ground import MOST_KEPT, BoundedCache
from engine.space.terrain.features import Area, Barrier, PreparedArea, PreparedBarrier, Scenery, scenery
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Point, box_of
from protocol.scene.nodes import Feature

TOUCHING = 55
"""Distance within which a barrier does not block sight."""
MOST_EYES: Final = 256
CELL: Final = 400
"""Places so near to one another are looked up together."""
SECTORS: Final = 64
_STEPS: Final = SECTORS / (2 * pi)
_ALL: Final = range(SECTORS)
_AIM: Final = 0.001
"""Of the step from one direction to the next: more than what sums of angles are off."""

_Obstacles = list[PreparedArea | PreparedBarrier]


class Lines:
    """Cover, and lines of sight past the terrain that blocks them."""

    def __init__(self, size: Point, features: dict[str, Feature]) -> None:
        blocking = {id: f for id, f in features.items() if f.blocks}
        areas = [Area(id, f.outline, blocks_sight=True) for id, f in blocking.items() if not f.line]
        barriers = [Barrier(id, f.outline, blocks_sight=True) for id, f in blocking.items() if f.line]
        self.features = features
        self._scenery: Scenery = scenery(*size, areas, barriers)
        self._known: BoundedCache[tuple[Point, Point], bool] = BoundedCache(MOST_KEPT)
        self._eyes: BoundedCache[Point, list[_Obstacles]] = BoundedCache(MOST_EYES)
        self._covering = [
            (f.cover, f.outline, box_of(f.outline)) for f in features.values() if not f.line and f.cover != "open"
        ]
        self._cells: dict[Point, list[tuple[str, tuple[Point, ...]]]] = {}
        self._covers: BoundedCache[Point, str] = BoundedCache(MOST_KEPT)

    def cover_at(self, place: Point) -> str:
        """Return the best cover that ground at a place gives."""
        known = self._covers.get(place)
        if known is None:
            covers = [cover for cover, outline in self._near(place) if contains(place, outline)]
            best = "building" if "building" in covers else "cover" if "cover" in covers else "open"
            known = self._covers.keep(place, best)
        return known

    def _near(self, place: Point) -> list[tuple[str, tuple[Point, ...]]]:
        cell = x, y = place[0] // CELL, place[1] // CELL
        if cell not in self._cells:
            self._cells[cell] = [
                (cover, outline)
                for cover, outline, (left, bottom, right, top) in self._covering
                if left // CELL <= x <= right // CELL and bottom // CELL <= y <= top // CELL
            ]
        return self._cells[cell]

    def clear(self, a: Point, b: Point) -> bool:
        """Tell whether no terrain hides one place from the other."""
        known = self._known.get((a, b))
        if known is None:
            known = self._known.keep((a, b), self._look(a, b))
        return known

    def _look(self, a: Point, b: Point) -> bool:
        """Work out `clear` from the obstacles in the direction of `b` that neither hold nor touch `a`."""
        eyes = self._eyes.get(a)
        if eyes is None:
            eyes = self._eyes.keep(a, self._seen_from(a))
        sector = floor(atan2(b[1] - a[1], b[0] - a[0]) * _STEPS) % SECTORS
        for one in eyes[sector]:
            if isinstance(one, PreparedArea):
                if one.pierced_by(a, b) and not one.holds(b):
                    return False
            elif one.crossed_by(a, b) and not one.near(b, TOUCHING):
                return False
        return True

    def _seen_from(self, a: Point) -> list[_Obstacles]:
        """Return the obstacles that may hide something from a place, by direction."""
        rows: list[_Obstacles] = [[] for _ in range(SECTORS)]
        for area in self._scenery.areas:
            if not area.holds(a):
                for n in _sectors(a, (*area.outline, area.outline[0])):
                    rows[n].append(area)
        for barrier in self._scenery.barriers:
            if not barrier.near(a, TOUCHING):
                for n in _sectors(a, barrier.corners):
                    rows[n].append(barrier)
        return rows


def _sectors(a: Point, corners: Sequence[Point]) -> Iterable[int]:
    """Return the directions in which a line of corners is seen from a place that is not on it, or one too many."""
    ax, ay = a
    x, y = corners[0][0] - ax, corners[0][1] - ay
    at = least = most = atan2(y, x)
    for corner in corners[1:]:
        nx, ny = corner[0] - ax, corner[1] - ay
        at += atan2(x * ny - y * nx, x * nx + y * ny)  # each edge is seen under less than half a turn
        least, most = min(least, at), max(most, at)
        x, y = nx, ny
    first, last = floor(least * _STEPS - _AIM), floor(most * _STEPS + _AIM)
    return _ALL if last - first >= SECTORS else [n % SECTORS for n in range(first, last + 1)]
