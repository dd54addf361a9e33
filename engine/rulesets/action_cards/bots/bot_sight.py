"""Cover and lines of sight of places as a bot estimates them, kept for as long as the terrain stays: most places are
asked about again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import atan2, floor, pi
from typing import Final

from engine.kit.remembered import remembered
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
_Covering = list[tuple[str, tuple[Point, ...]]]
"""Cover classes, each with the outline of the ground that gives it."""


class Lines:
    """Cover, and lines of sight past the terrain that blocks them."""

    def __init__(self, size: Point, features: dict[str, Feature]) -> None:
        blocking = {id: f for id, f in features.items() if f.blocks}
        areas = [Area(id, f.outline, blocks_sight=True) for id, f in blocking.items() if not f.line]
        barriers = [Barrier(id, f.outline, blocks_sight=True) for id, f in blocking.items() if f.line]
        covering = [(f.cover, f.outline) for f in features.values() if not f.line and f.cover != "open"]
        seen_from = remembered(partial(_seen_from, scenery(*size, areas, barriers)), MOST_EYES)
        self.features = features
        self.clear = remembered(partial(_is_clear, seen_from))
        """Tells whether no terrain hides one place from the other."""
        self.cover_at = remembered(partial(_cover_at, remembered(partial(_covering_cell, covering))))
        """Returns the best cover that ground at a place gives."""


def _cover_at(covering: Callable[[Point], _Covering], place: Point) -> str:
    near = covering((place[0] // CELL, place[1] // CELL))
    covers = [cover for cover, outline in near if contains(place, outline)]
    return "building" if "building" in covers else "cover" if "cover" in covers else "open"


def _covering_cell(covering: _Covering, cell: Point) -> _Covering:
    """Return the ground of which some may lie in a cell."""
    (x, y), found = cell, []
    for cover, outline in covering:
        left, bottom, right, top = box_of(outline)
        if left // CELL <= x <= right // CELL and bottom // CELL <= y <= top // CELL:
            found.append((cover, outline))
    return found


def _is_clear(seen_from: Callable[[Point], list[_Obstacles]], a: Point, b: Point) -> bool:
    """Tell whether none of the obstacles in the direction of `b`, which neither hold nor touch `a`, hides it."""
    sector = floor(atan2(b[1] - a[1], b[0] - a[0]) * _STEPS) % SECTORS
    for one in seen_from(a)[sector]:
        if isinstance(one, PreparedArea):
            if one.pierced_by(a, b) and not one.holds(b):
                return False
        elif one.crossed_by(a, b) and not one.near(b, TOUCHING):
            return False
    return True


def _seen_from(terrain: Scenery, a: Point) -> list[_Obstacles]:
    """Return the obstacles that may hide something from a place, by direction."""
    rows: list[_Obstacles] = [[] for _ in range(SECTORS)]
    for area in terrain.areas:
        if not area.holds(a):
            for n in _sectors(a, (*area.outline, area.outline[0])):
                rows[n].append(area)
    for barrier in terrain.barriers:
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
