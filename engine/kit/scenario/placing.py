"""Places of groups in a start zone: wholly in it, on open ground, each group together and clear of all others.

A base is told by the discs that it covers: itself where it is round, some along its length where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.vectors.headings import ahead
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.lattice import offsets
from engine.space.vectors.outlines import Outline, contains, point_near_outline
from engine.space.vectors.points import Box, Point, box_of, ceil_sqrt, in_box, middle_of, point_nearer, squared, widened
from protocol.ids import NO_FIGURE

APART: Final = 100
"""Groups start at least so far from each other, edge to edge."""
BESIDE: Final = 20
"""Figures of one group start at least so far from each other."""
DISCS: Final = 4
"""A long base is told by so many discs in a row that cover it."""
STEPS: Final = (40, 15)
"""Places are tried on a coarse lattice, then, where that has none left, on a fine one."""


class Stand(NamedTuple):
    """A base that is to be placed: its radius, half its width; where it is no disc, its length and width too."""

    radius: int
    length: int = 0
    width: int = 0

    def discs(self, at: Point, facing: int) -> list[Base]:
        """Return the discs that it covers at a place."""
        if not self.length:
            return [Base(NO_FIGURE, at, self.radius)]
        part = self.length // DISCS
        radius = ceil_sqrt((part + 1) ** 2 + self.width**2) // 2 + 1
        places = [(2 * n + 1) * self.length // (2 * DISCS) - self.length // 2 for n in range(DISCS)]
        return [Base(NO_FIGURE, ahead(at, facing, place), radius) for place in places]


class StartZone(NamedTuple):
    """A zone with the terrain in it, and the bases of other groups, from which it keeps `apart`."""

    scenery: Scenery
    outline: Outline
    areas: tuple[PreparedArea, ...]
    barriers: tuple[PreparedBarrier, ...]
    others: tuple[Base, ...]
    apart: int

    @classmethod
    def of(cls, scenery: Scenery, outline: Outline, others: Iterable[Base], apart: int = APART) -> StartZone:
        """Sort out what lies in and near a zone."""
        box = box_of(outline)
        near = tuple([base for base in others if in_box(base.at, widened(box, APART + base.radius * 2))])
        return cls(scenery, outline, scenery.areas_near(box), scenery.barriers_near(box), near, apart)

    def room_for(self, stand: Stand, facing: int, group: Sequence[Base]) -> Callable[[Point], bool]:
        """Return a test whether a base of a group may start at a place: wholly in the zone, on open ground, with its
        group."""
        discs = [(disc.at, self._free(disc, group, wide=stand.length > 0)) for disc in stand.discs((0, 0), facing)]

        def free(at: Point) -> bool:
            return all(fits((at[0] + dx, at[1] + dy)) for (dx, dy), fits in discs)

        return free if len(discs) > 1 else discs[0][1]

    def _free(self, disc: Base, group: Sequence[Base], *, wide: bool) -> Callable[[Point], bool]:
        """Return that test for one disc. A `wide` one may not overlap the edge of an area."""
        radius = disc.radius
        near = [(base, BESIDE) for base in group] + [(base, self.apart) for base in self.others]
        kept_clear = [(*base.at, (base.radius + radius + clear) ** 2) for base, clear in near]
        edges, box = edges_of(self.outline), box_of(self.outline)

        def free(at: Point) -> bool:
            x, y = at
            if not in_box(at, box):
                return False
            for number, (left, bottom, square) in enumerate(kept_clear):  # refuses most places
                if (x - left) * (x - left) + (y - bottom) * (y - bottom) < square:
                    if number:  # the same base usually refuses the next place
                        kept_clear.insert(0, kept_clear.pop(number))
                    return False
            if not self.scenery.has_disc(at, radius) or any(area.holds(at) for area in self.areas):
                return False
            if wide and any(point_near_outline(at, area.outline, radius) for area in self.areas):
                return False
            if not contains(at, self.outline) or any(point_nearer(at, a, b, radius) for a, b in edges):
                return False
            if any(barrier.near(at, radius) for barrier in self.barriers):
                return False
            return not group or not any(barrier.crossed_by(group[0].at, at) for barrier in self.barriers)

        return free

    def places(self, stands: Sequence[Stand], slot: Point, facing: int = 0) -> list[Point] | None:
        """Return a place for each base of a group, the first nearest to the slot, the others nearest to the first; None
        without room."""
        box = left, bottom, right, top = box_of(self.outline)
        farthest = ceil_sqrt(squared((left, bottom), (right, top)))
        standing: list[Base] = []
        tried: Iterator[Point] = iter(())
        before: Stand | None = None
        for stand in stands:
            if len(standing) < 2 or stand != before:
                tried = _tried(standing[0].at if standing else slot, farthest, box)
            # else go on from there: places refused to the base before do not suit a base like it
            before = stand
            at = next(filter(self.room_for(stand, facing, standing), tried), None)
            if at is None:
                return None
            standing.append(Base(NO_FIGURE, at, stand.radius))
        return [base.at for base in standing]


def slots(outline: Outline, count: int, more: int = 0) -> list[Point]:
    """Return the middles of `count` equal parts of a zone, along its longer side, and its middle for `more` others."""
    left, bottom, right, top = box = box_of(outline)
    middle = middle_of(box)
    if right - left >= top - bottom:
        parts = [(left + (right - left) * (2 * n + 1) // (2 * count), middle[1]) for n in range(count)]
    else:
        parts = [(middle[0], bottom + (top - bottom) * (2 * n + 1) // (2 * count)) for n in range(count)]
    return [*parts, *([middle] * more)]


def _tried(wish: Point, farthest: int, box: Box) -> Iterator[Point]:
    """Yield the places in a box around a wish, nearest first, on one lattice after the other."""
    x, y = wish
    left, bottom, right, top = box[0] - x, box[1] - y, box[2] - x, box[3] - y
    for step in STEPS:
        for dx, dy in offsets(step, farthest):
            if left <= dx <= right and bottom <= dy <= top:
                yield x + dx, y + dy
