"""Accessibility of the table: ways from start zones to goals on a lattice, round ground that nobody may enter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.space.vectors.outlines import Outline, contains, place_near_outline
from engine.space.vectors.points import Point, box_of

STEP: Final = 100
BASE: Final = 80
"""The radius of a base that is to get through."""
AT: Final = 150
"""Distance within which a barrier or impassable ground can be worked on."""

Cell = tuple[int, int]


class Passability(NamedTuple):
    """Start zones, goals and the ground that nobody may enter (`walls`), on a table of a size in hundredths."""

    size: Point
    starts: tuple[Outline, ...]
    goals: tuple[Outline, ...]
    walls: tuple[Outline, ...]

    def shut_out(self, more: Iterable[Outline] = ()) -> list[tuple[int, int]]:
        """Return the pairs of start zone and goal, by number, between which there is no way, with more walls too."""
        walls = [*self.walls, *more]
        if not walls:
            return []
        free = self._free(walls)
        found: list[tuple[int, int]] = []
        for start, zone in enumerate(self.starts):
            reached = _flood({cell for cell in free if contains(_point(cell), zone)}, free)
            for number, goal in enumerate(self.goals):
                if not any(_is_at(_point(cell), goal) for cell in reached):
                    found.append((start, number))
        return found

    def _free(self, walls: list[Outline]) -> set[Cell]:
        width, height = self.size
        cells = {(x, y) for x in range(1, width // STEP) for y in range(1, height // STEP)}
        for wall in walls:
            left, bottom, right, top = box_of(wall)
            near = {
                (x, y)
                for x in range((left - BASE) // STEP, (right + BASE) // STEP + 1)
                for y in range((bottom - BASE) // STEP, (top + BASE) // STEP + 1)
            }
            cells -= {c for c in near if place_near_outline(_point(c), wall, BASE)}
        return cells


def _point(cell: Cell) -> Point:
    return cell[0] * STEP, cell[1] * STEP


def _is_at(point: Point, goal: Outline) -> bool:
    if len(goal) > 2 and contains(point, goal):
        return True
    return place_near_outline(point, goal, AT)


def _flood(begun: set[Cell], free: set[Cell]) -> set[Cell]:
    reached, edge = set(begun), list(begun)
    while edge:
        x, y = edge.pop()
        for next_cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if next_cell in free and next_cell not in reached:
                reached.add(next_cell)
                edge.append(next_cell)
    return reached
