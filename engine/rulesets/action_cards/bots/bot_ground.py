"""Grounds of a table as a bot sees them: features and marked areas, with distances into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isqrt
from operator import is_

from engine.kit.remembered import remembered
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import Box, Point, in_box, middle_of


@dataclass(slots=True, eq=False)
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
    """All grounds together. What is found of a place is kept: figures stand mostly where they stood."""

    def __init__(self, grounds: Mapping[str, Ground]) -> None:
        self.grounds = grounds
        self.holding = remembered(partial(_holding, grounds))
        """Returns the grounds that hold a place, by id."""
        self.way = remembered(partial(_way, self.holding))
        """Returns the distance from a place into a ground, in hundredths of an inch; a figure in terrain may leave it
        at any edge."""

    def is_of(self, grounds: Mapping[str, Ground]) -> bool:
        """Tell whether it was made of these very grounds."""
        return len(grounds) == len(self.grounds) and all(map(is_, grounds.values(), self.grounds.values()))


def _holding(grounds: Mapping[str, Ground], place: Point) -> Mapping[str, Ground]:
    return {id: ground for id, ground in grounds.items() if ground.holds(place)}


def _way(holding: Callable[[Point], Mapping[str, Ground]], place: Point, ground: Ground) -> int:
    around = holding(place)
    if ground.id in around:
        return 0
    to = ground.nearest(place)
    inside = [other for other in around.values() if other.is_terrain]
    return min([distance(other.nearest(to), to) for other in inside], default=distance(place, to))


def distance(a: Point, b: Point) -> int:
    """Return the distance of two places, rounded down."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return isqrt(dx * dx + dy * dy)  # `floor_sqrt` and `squared` written out: this runs very often
