"""Lines of sight from centre to centre, past groups, areas and barriers.

- A group in between blocks a line that comes strictly nearer to the convex hull of its figures' centres than its
  largest base radius; touching does not block. The two groups concerned never block.
- A blocking area blocks a line that has a point strictly inside it; running along its edge does not block. It does not
  block the lines of figures whose centre it holds, at either end.
- A blocking barrier blocks a line that has a common point with it, unless the base at either end touches it.
- Foliage, smoke and low ground block as `cuts` says.

Groups that never block are not passed in. Everything here is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from engine.space.sight.corridor import Corridor
from engine.space.sight.cuts import Cut
from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.vectors.hulls import hull_of, segment_near_hull
from engine.space.vectors.points import Box, Id, Point, Segment, box_of, in_box, middle_of, squared, widened
from protocol.ids import GroupId


class Formation(msgspec.Struct, frozen=True, eq=False):
    """A group prepared for questions about sight: made by `formation`, valid until a figure moves or falls."""

    id: GroupId
    figures: tuple[Base, ...]
    centres: tuple[Point, ...]
    hull: tuple[Point, ...]
    radius: int
    box: Box
    """The bounding box of the hull."""
    span: Box
    """The same widened by the radius: beyond it the group blocks nothing."""
    footings: dict[Scenery, Footing] = msgspec.field(default_factory=dict)
    """The cache of `footing`, needed for every other group that this one is looked at from."""


Footing: TypeAlias = dict[PreparedArea | PreparedBarrier, frozenset[int]]
"""The figures of a group that an area holds, or whose bases touch a barrier, by area or barrier: it does not block
their lines."""


class Sighting(NamedTuple):
    """A figure of the shooters and one of the targets that it sees, by their places in the two formations."""

    shooter: int
    target: int


class Obstacle(NamedTuple):
    """A group, area, barrier or cut that blocks a line."""

    kind: Literal["group", "area", "barrier", "cut"]
    id: Id


def formation(id: GroupId, figures: Sequence[Base]) -> Formation:
    """Prepare a group of one or more figures, each with a base of radius 1 or more. ValueError without any."""
    centres = tuple([f.at for f in figures])
    hull = hull_of(centres)
    box, radius = box_of(hull), max(f.radius for f in figures)
    return Formation(id, tuple(figures), centres, hull, radius, box, widened(box, radius))


_NOBODY: Final[frozenset[int]] = frozenset()


class _Between(NamedTuple):
    """A group that may stand in the way."""

    group: Formation
    targets: frozenset[int] = _NOBODY

    @property
    def obstacle(self) -> Obstacle:
        return Obstacle("group", self.group.id)

    def blocks(self, view: SightLines, shooter: int, target: int) -> bool:
        group = self.group
        return segment_near_hull(view.shooters.centres[shooter], view.targets.centres[target], group.hull, group.radius)

    def chords(self, centre: Point, shooter: int) -> tuple[Segment, ...]:
        return _widest(centre, self.group.hull, self.group.box)

    def chords_for_all(self, centre: Point) -> tuple[Segment, ...]:
        return _widest(centre, self.group.hull, self.group.box)


class _Ground(NamedTuple):
    """A blocking area, with the figures of either side that are in it."""

    area: PreparedArea
    shooters: frozenset[int]
    targets: frozenset[int]

    @property
    def obstacle(self) -> Obstacle:
        return Obstacle("area", self.area.id)

    def blocks(self, view: SightLines, shooter: int, target: int) -> bool:
        if shooter in self.shooters or target in self.targets:
            return False
        return self.area.pierced_by(view.shooters.centres[shooter], view.targets.centres[target])

    def chords(self, centre: Point, shooter: int) -> tuple[Segment, ...]:
        if shooter in self.shooters:
            return ()
        if not self.area.convex:
            return self.area.edges
        return _widest(centre, self.area.outline, self.area.box)

    def chords_for_all(self, centre: Point) -> tuple[Segment, ...]:
        if self.shooters or not self.area.convex:
            return ()
        return _widest(centre, self.area.outline, self.area.box)


class _Wall(NamedTuple):
    """A blocking barrier, with the figures of either side whose base touches it."""

    barrier: PreparedBarrier
    shooters: frozenset[int]
    targets: frozenset[int]

    @property
    def obstacle(self) -> Obstacle:
        return Obstacle("barrier", self.barrier.id)

    def blocks(self, view: SightLines, shooter: int, target: int) -> bool:
        if shooter in self.shooters or target in self.targets:
            return False
        return self.barrier.crossed_by(view.shooters.centres[shooter], view.targets.centres[target])

    def chords(self, centre: Point, shooter: int) -> tuple[Segment, ...]:
        return () if shooter in self.shooters else self.barrier.edges

    def chords_for_all(self, centre: Point) -> tuple[Segment, ...]:
        return () if self.shooters else self.barrier.edges


class _Across(NamedTuple):
    """Foliage, smoke or low ground: no chord is known to be blocked without a look at the line."""

    cut: Cut
    targets: frozenset[int] = _NOBODY

    @property
    def obstacle(self) -> Obstacle:
        return Obstacle("cut", self.cut.id)

    def blocks(self, view: SightLines, shooter: int, target: int) -> bool:
        return self.cut.cuts(view.shooters.centres[shooter], view.targets.centres[target])

    def chords(self, centre: Point, shooter: int) -> tuple[Segment, ...]:
        return ()

    def chords_for_all(self, centre: Point) -> tuple[Segment, ...]:
        return ()


class SightLines:
    """All lines from one group to another over one table.

    Make it for one question after another about an unchanged table, and drop it: it follows no change. Lines are looked
    at only when asked for. Answers do not depend on the questions before.
    """

    __slots__ = ("_hides_nearest", "_last", "_obstacles", "shooters", "targets")

    def __init__(
        self,
        scenery: Scenery,
        shooters: Formation,
        targets: Formation,
        others: Iterable[Formation],
        corridor: Corridor | None = None,
        cuts: Iterable[Cut] = (),
    ) -> None:
        """Prepare the lines. `others` are the groups that block where they stand between; the two groups may be among
        them.

        With the `corridor` between the two, `others` are those that come near it, and not the two.
        """
        self.shooters = shooters
        self.targets = targets
        if corridor is None:
            corridor = Corridor(shooters, targets)
            apart = (shooters.id, targets.id)
            others = [group for group in others if group.id not in apart and corridor.comes_near(group.span)]
        self._obstacles = _obstacles(scenery, shooters, targets, others, corridor)
        self._obstacles.extend([_Across(cut) for cut in cuts])
        self._last = self._obstacles[0] if self._obstacles else None
        self._hides_nearest: Obstacle | None = None

    def sees(self, shooter: int, target: int) -> bool:
        """Tell whether that figure of the shooters sees that figure of the targets."""
        last = self._last  # most lines of one group that are blocked are blocked by the same thing
        if last is None:
            return True
        if last.blocks(self, shooter, target):
            return False
        for obstacle in self._obstacles:
            if obstacle is not last and obstacle.blocks(self, shooter, target):
                self._last = obstacle
                return False
        return True

    def first(self) -> Sighting | None:
        """Return the nearest pair that see each other (of equals, the first in order); None where none do."""
        return next(self.pairs(), None)

    def pairs(self) -> Iterator[Sighting]:
        """Yield all pairs that see, nearest first; each line is looked at when the pair is asked for."""
        rows, columns = self.shooters.centres, self.targets.centres
        count = len(columns)
        squares = [(x - ax) * (x - ax) + (y - ay) * (y - ay) for ax, ay in rows for x, y in columns]
        least = min(squares)
        nearest = squares.index(least)
        in_order = self._last is not None and self._last is self._obstacles[0]
        if self.sees(nearest // count, nearest % count):  # where any pair sees, mostly the nearest does
            yield Sighting(nearest // count, nearest % count)
        else:
            if self._last is not None and in_order and squares.count(least) == 1:
                self._hides_nearest = self._last.obstacle
            if self._is_hidden():
                return
        for n in sorted(self._not_plainly_blocked(), key=squares.__getitem__):
            if n != nearest and self.sees(n // count, n % count):
                yield Sighting(n // count, n % count)

    def _is_hidden(self) -> bool:
        """Tell whether the obstacle that has just blocked the line of the nearest pair plainly blocks every line:
        mostly it does."""
        blocking = self._last
        if blocking is None or blocking.targets:
            return False
        ones, others = self.shooters.hull, self.targets.hull
        return any(_all_cross(ones, others, p, q) for p, q in blocking.chords_for_all(middle_of(self.shooters.box)))

    def _not_plainly_blocked(self) -> list[int]:
        """Return the pairs (row by row) whose line properly crosses no obstacle's chord: few are left to the exact
        test."""
        targets = [(j, x, y) for j, (x, y) in enumerate(self.targets.centres)]
        obstacles = list(self._obstacles)
        best = self._last
        left: list[int] = []
        for shooter, centre in enumerate(self.shooters.centres):
            if best is not None and best is not obstacles[0]:  # it likely hides much from the next, too
                obstacles.remove(best)
                obstacles.insert(0, best)
            remaining = targets
            for obstacle in obstacles:
                before = len(remaining)
                for p, q in obstacle.chords(centre, shooter):
                    remaining = _not_behind(centre, p, q, remaining, obstacle.targets)
                if 2 * len(remaining) < before:
                    best = obstacle
                if not remaining:
                    break
            left.extend([shooter * len(targets) + j for j, _, _ in remaining])
        return left

    def target_of(self, shooter: int) -> int | None:
        """Return the nearest figure of the targets that this one sees, None if it sees none."""
        centre = self.shooters.centres[shooter]
        order = sorted((squared(centre, p), j) for j, p in enumerate(self.targets.centres))
        return next((j for _, j in order if self.sees(shooter, j)), None)

    def nearest_obstacle(self) -> Obstacle | None:
        """Return the obstacle of the line between the nearest two figures; of equals the same two from either side."""
        if self._hides_nearest is not None:  # found by `pairs`
            return self._hides_nearest
        ours, theirs = self.shooters.centres, self.targets.centres
        pairs = [(squared(a, b), a, b, i, j) for i, a in enumerate(ours) for j, b in enumerate(theirs)]
        least = min(pairs)[0]
        nearest = min((pair for pair in pairs if pair[0] == least), key=lambda pair: sorted(pair[1:3]))
        return self.obstacle(*nearest[3:])

    def obstacle(self, shooter: int, target: int) -> Obstacle | None:
        """Return the obstacle of this line, areas first, then barriers, groups, cuts, each in the order given; None
        without one."""
        return next((o.obstacle for o in self._obstacles if o.blocks(self, shooter, target)), None)


def _widest(centre: Point, corners: Sequence[Point], box: Box) -> tuple[Segment, ...]:
    """Return the chord of a convex outline between its outermost corners as seen from a point; none from within its
    box."""
    if in_box(centre, box):
        return ()
    ax, ay = centre
    right = left = corners[0]
    rx, ry = lx, ly = right[0] - ax, right[1] - ay
    for x, y in corners:
        px, py = x - ax, y - ay
        if rx * py < ry * px:
            rx, ry, right = px, py, (x, y)
        elif lx * py > ly * px:
            lx, ly, left = px, py, (x, y)
    return ((right, left),)


def _all_cross(ones: Sequence[Point], others: Sequence[Point], p: Point, q: Point) -> bool:
    """Tell whether every line from one hull to the other properly crosses the chord from p to q.

    It does if those from corner to corner do: the region behind a chord as seen from a point is convex.
    """
    (px, py), (qx, qy) = p, q
    dx, dy = qx - px, qy - py
    base = dx * py - dy * px
    sides = [dx * y - dy * x - base for x, y in ones]
    if min(sides) <= 0 <= max(sides):
        return False
    beyond = [dx * y - dy * x - base for x, y in others]
    if not (max(beyond) < 0 if sides[0] > 0 else min(beyond) > 0):
        return False
    if sides[0] > 0:
        px, py, qx, qy = qx, qy, px, py
    # now p is left and q right of every line that passes between them
    for ax, ay in ones:
        rx, ry, lx, ly = px - ax, py - ay, qx - ax, qy - ay
        for x, y in others:
            bx, by = x - ax, y - ay
            if bx * ry <= by * rx or bx * ly >= by * lx:
                return False
    return True


def _not_behind(
    centre: Point, p: Point, q: Point, points: list[tuple[int, int, int]], exempt: frozenset[int]
) -> list[tuple[int, int, int]]:
    """Return the points, with their numbers, whose line to the centre does not properly cross the chord, or that are
    exempt."""
    ax, ay = centre
    (px, py), (qx, qy) = p, q
    if (px - ax) * (qy - ay) < (py - ay) * (qx - ax):
        px, py, qx, qy = qx, qy, px, py
    # Counter-clockwise now: behind the chord is left of the ray to p, right of the ray to q, and right of q from p.
    rx, ry, lx, ly, cx, cy = px - ax, py - ay, qx - ax, qy - ay, qx - px, qy - py
    right, left, behind = rx * ay - ry * ax, lx * ay - ly * ax, cx * py - cy * px
    kept = [
        point
        for point in points
        if rx * point[2] - ry * point[1] <= right
        or lx * point[2] - ly * point[1] >= left
        or cx * point[2] - cy * point[1] >= behind
    ]
    return kept if not exempt else [point for point in points if point in kept or point[0] in exempt]


def _obstacles(
    scenery: Scenery, shooters: Formation, targets: Formation, near: Iterable[Formation], corridor: Corridor
) -> list[_Between | _Ground | _Wall | _Across]:
    """Return everything that blocks sight and comes near the corridor between the two groups."""
    ours, theirs = footing(shooters, scenery), footing(targets, scenery)
    found: list[_Between | _Ground | _Wall | _Across] = []
    for area in corridor.blocking(scenery.areas):
        found.append(_Ground(area, ours.get(area, _NOBODY), theirs.get(area, _NOBODY)))
    for barrier in corridor.blocking(scenery.barriers):
        found.append(_Wall(barrier, ours.get(barrier, _NOBODY), theirs.get(barrier, _NOBODY)))
    found.extend([_Between(group) for group in near])
    return found


def footing(group: Formation, scenery: Scenery) -> Footing:
    """Return, for each area and barrier that blocks sight, the figures of the group whose lines it does not block."""
    found: Footing | None = group.footings.get(scenery)
    if found is None:
        found = {area: _held(group, area) for area in scenery.areas_near(group.box) if area.blocks_sight}
        near = scenery.barriers_near(widened(group.box, group.radius + TOUCH))
        found |= {barrier: _touching(group, barrier) for barrier in near if barrier.blocks_sight}
        group.footings.clear()  # a changed table does not come back
        group.footings[scenery] = found
    return found


def _held(group: Formation, area: PreparedArea) -> frozenset[int]:
    return frozenset([i for i, p in enumerate(group.centres) if area.holds(p)])


def _touching(group: Formation, barrier: PreparedBarrier) -> frozenset[int]:
    return frozenset([i for i, f in enumerate(group.figures) if barrier.near(f.at, f.radius + TOUCH)])
