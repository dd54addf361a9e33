"""Grounds of a table as a bot sees them: features and marked areas, with distances into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from operator import is_
from typing import Final, TypeVar

from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Box, Point, in_box, middle_of

K = TypeVar("K")
V = TypeVar("V")
MOST_KEPT: Final = 4096


class BoundedCache(dict[K, V]):
    """Cache of at most `most` results; with one more it begins afresh."""

    def __init__(self, most: int) -> None:
        self._most = most

    def keep(self, key: K, value: V) -> V:
        """Note a value and return it."""
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value


@dataclass(slots=True)
class Ground:
    """Feature with an inside (`is_terrain`), or a marked area."""

    id: str
    outline: tuple[Point, ...]
    box: Box
    cover: str
    is_terrain: bool = True

    def holds(self, place: Point) -> bool:
        """Tell whether a figure at a place is in it."""
        return in_box(place, self.box) and contains(place, self.outline)

    @property
    def middle(self) -> Point:
        """Middle of its box."""
        return middle_of(self.box)

    def nearest(self, place: Point) -> Point:
        """Return the point of its box that is nearest to a place."""
        left, bottom, right, top = self.box
        return min(max(place[0], left), right), min(max(place[1], bottom), top)


class Country:
    """All grounds together, with a cache by place: figures stand mostly where they stood."""

    def __init__(self, grounds: Mapping[str, Ground]) -> None:
        self.grounds = grounds
        self._holding: BoundedCache[Point, Mapping[str, Ground]] = BoundedCache(MOST_KEPT)
        self._ways: BoundedCache[tuple[Point, str], int] = BoundedCache(MOST_KEPT)

    def is_of(self, grounds: Mapping[str, Ground]) -> bool:
        """Tell whether it was made of these very grounds."""
        return len(grounds) == len(self.grounds) and all(map(is_, grounds.values(), self.grounds.values()))

    def holding(self, place: Point) -> Mapping[str, Ground]:
        """Return the grounds that hold a place, by id."""
        known = self._holding.get(place)
        if known is None:
            found = {id: ground for id, ground in self.grounds.items() if ground.holds(place)}
            known = self._holding.keep(place, found)
        return known

    def way(self, place: Point, ground: Ground) -> int:
        """Return the distance from a place into a ground, in hundredths of an inch; a figure in terrain may leave it at
        any edge."""
        known = self._ways.get((place, ground.id))
        if known is None:
            known = self._ways.keep((place, ground.id), self._measured(place, ground))
        return known

    def _measured(self, place: Point, ground: Ground) -> int:
        holding = self.holding(place)
        if ground.id in holding:
            return 0
        to = ground.nearest(place)
        inside = [other for other in holding.values() if other.is_terrain]
        return min([distance(other.nearest(to), to) for other in inside], default=distance(place, to))


def distance(a: Point, b: Point) -> int:
    """Return the distance of two places, rounded down."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return isqrt(dx * dx + dy * dy)  # `floor_sqrt` and `squared` written out: this runs very often
