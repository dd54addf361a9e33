"""Straight ways over the table as a bot measures them, from the terrain and bases that everybody sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.rulesets.action_cards.bots.bot_ground import distance
from engine.rulesets.action_cards.bots.bot_table import Reading, SeenFigure, SeenGroup
from engine.space.movement.moves import Way, clip_move, nearby
from engine.space.movement.walled import is_barred
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.points import Point, box_of, towards, widened

CUT: Final = 4
"""Hundredths: more than a place along a way can be nearer to its goal for being rounded."""


class Ways:
    """Terrain of a table, prepared once for as long as it stays. Doors and weather are ignored."""

    def __init__(self, table: Reading) -> None:
        areas = [Area(id, f.outline) for id, f in table.features.items() if not f.line]
        barriers = [Barrier(id, f.outline) for id, f in table.features.items() if f.line]
        self._features = table.features
        self._scenery = scenery(*table.size, areas, barriers)

    def fit(self, table: Reading) -> bool:
        """Tell whether the terrain is still the same."""
        return self._features == table.features

    def ahead(self, table: Reading, group: SeenGroup, lead: SeenFigure, to: Point) -> Point:
        """Return the end of a figure's move straight towards a place."""
        return clip_move(self._way(table, group, lead.radius), lead.at, to, table.own.move).point

    def ahead_from(
        self, table: Reading, group: SeenGroup, radius: int, places: Sequence[Point]
    ) -> Callable[[Point, Point, int], Point | None]:
        """Return `ahead` for any of some places, with what is near none of them left out at once. It gives None where
        the move surely comes no nearer than `near`."""
        move = table.own.move
        way = nearby(self._way(table, group, radius), widened(box_of(places), move))

        def ahead(place: Point, to: Point, near: int) -> Point | None:
            needed = distance(place, to) - near - CUT
            if needed > 0 and is_barred(way, place, towards(place, to, needed)):
                return None
            return clip_move(way, place, to, move).point

        return ahead

    def _way(self, table: Reading, group: SeenGroup, radius: int) -> Way:
        friends = tuple([base for other in table.mine if other is not group for base in other.bases])
        return Way(self._scenery, radius, 2 * radius, table.foes, friends)
