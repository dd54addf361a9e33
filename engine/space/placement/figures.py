"""Places for figures next to a lead figure: faults of chosen places, and the nearest free ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from engine.space.terrain.contact import TOUCH, Base, first_overlapped, first_touched
from engine.space.terrain.features import Scenery
from engine.space.vectors.lattice import ring
from engine.space.vectors.outlines import meets_outline, place_near_outline, point_near_outline
from engine.space.vectors.points import (
    Id,
    Point,
    box_around,
    box_between,
    boxes_meet,
    in_box,
    squared,
    widened,
)
from protocol.ids import NO_FIGURE, FigureId


class Misplaced(StrEnum):
    """The reason why a figure may not stand where it is placed."""

    TOO_FAR = "too-far"
    BEYOND_LEAD = "beyond-lead"
    OFF_TABLE = "off-table"
    OVERLAP = "overlap"
    TOUCHES = "touches"
    IMPASSABLE = "impassable"
    OTHER_AREA = "other-area"
    BARRIER = "barrier"
    UNREACHABLE = "unreachable"


class Misplacement(msgspec.Struct, frozen=True):
    """A badly placed figure, the reason, and the id of the base, area or barrier concerned, if there is one."""

    figure: FigureId
    reason: Misplaced
    what: Id | None = None


class Room(msgspec.Struct, frozen=True):
    """The places where the figures of a group may stand once their lead stands.

    Each is at most `spread` from the lead, edge to edge; or, where `fringe` names an area, outside it with at most
    `spread` between its base and that area's edge (for figures that find no room in it). It is held by exactly the
    areas that hold the lead (with `fringe`: those but that one), lies on the lead's side of every barrier, and the
    straight line from the lead crosses no area that is impassable or blocks sight, but for those that hold the lead.
    Its centre is not beyond the line through the lead's centre square to `heading`, the direction of the move ((0, 0):
    no such limit). It overlaps no base of `bases` or `shunned`, nor the lead, and touches none of `shunned`.
    """

    scenery: Scenery
    lead: Base
    spread: int
    heading: Point = (0, 0)
    bases: tuple[Base, ...] = ()
    shunned: tuple[Base, ...] = ()
    fringe: Id | None = None


class _Site:
    """A room with the things near it, sorted out once for many places."""

    __slots__ = ("areas", "barriers", "bases", "fringe", "held", "reach", "room", "shunned", "walls")

    def __init__(self, room: Room, largest: int) -> None:
        scenery, lead = room.scenery, room.lead
        self.room = room
        self.fringe = None if room.fringe is None else scenery.area(room.fringe)
        self.reach = room.spread + lead.radius + largest
        if self.fringe is not None:
            self.reach += max(abs(v - lead.at[i % 2]) for i, v in enumerate(self.fringe.box)) * 3 // 2
        box = box_around(lead.at, self.reach + largest)
        self.areas = scenery.areas_near(box)
        self.barriers = scenery.barriers_near(box)
        self.held = frozenset([a.id for a in self.areas if a.holds(lead.at)])
        self.walls = [a for a in self.areas if (a.impassable or a.blocks_sight) and a.id not in self.held]
        self.bases = (lead, *self._near(room.bases, largest))
        self.shunned = self._near(room.shunned, largest + TOUCH)

    def _near(self, bases: Iterable[Base], margin: int) -> tuple[Base, ...]:
        at, reach = self.room.lead.at, self.reach + margin
        return tuple([b for b in bases if squared(b.at, at) <= (reach + b.radius) ** 2])

    def fault(self, p: Point, radius: int) -> tuple[Misplaced, Id | None] | None:
        """Return the fault of a base at p, apart from the other figures that are being placed; None without one."""
        room, lead = self.room, self.room.lead
        x, y = p[0] - lead.at[0], p[1] - lead.at[1]
        if x * room.heading[0] + y * room.heading[1] > 0:
            return Misplaced.BEYOND_LEAD, None
        if self.fringe is None:
            if x * x + y * y > (room.spread + lead.radius + radius) ** 2:
                return Misplaced.TOO_FAR, None
        elif not point_near_outline(p, self.fringe.outline, room.spread + radius + 1):
            return Misplaced.TOO_FAR, self.fringe.id
        if not room.scenery.has_disc(p, radius):
            return Misplaced.OFF_TABLE, None
        own = Base(NO_FIGURE, p, radius)
        overlapped = first_overlapped(own, self.bases)
        if overlapped is not None:
            return Misplaced.OVERLAP, overlapped.id
        touched = first_touched(own, self.shunned) if self.shunned else None
        if touched is not None:
            return Misplaced.TOUCHES, touched.id
        return self.ground_fault(p, radius)

    def ground_fault(self, p: Point, radius: int) -> tuple[Misplaced, Id | None] | None:
        """Return the fault that areas and barriers find with a base at p, the last that `fault` looks for."""
        for area in self.areas:
            if area.impassable and in_box(p, widened(area.box, radius)) and place_near_outline(p, area.outline, radius):
                return Misplaced.IMPASSABLE, area.id
            if area.holds(p) is not (area.id in self.held and area is not self.fringe):
                return Misplaced.OTHER_AREA, area.id
        start = self.room.lead.at
        way = box_between(start, p)
        for barrier in self.barriers:
            if boxes_meet(barrier.box, way) and barrier.crossed_by(start, p):
                return Misplaced.BARRIER, barrier.id
        for area in self.walls:
            if boxes_meet(area.box, way) and meets_outline(start, p, area.outline):
                return Misplaced.UNREACHABLE, area.id
        return None


def check_placement(room: Room, figures: Sequence[Base]) -> Misplacement | None:
    """Return the first figure, in the order given, that is badly placed; None where all stand well.

    Of two figures that overlap each other the later one is named.
    """
    site = _Site(room, max((f.radius for f in figures), default=0))
    for number, figure in enumerate(figures):
        fault = site.fault(figure.at, figure.radius)
        if fault is not None:
            return Misplacement(figure.id, *fault)
        for other in figures[:number]:
            if squared(figure.at, other.at) < (figure.radius + other.radius) ** 2:
                return Misplacement(figure.id, Misplaced.OVERLAP, other.id)
    return None


def place_around(room: Room, figures: Sequence[tuple[FigureId, int]], placed: Sequence[Base] = ()) -> tuple[Base, ...]:
    """Stand figures (id and radius) on the free places nearest to the lead, in the order given.

    Figures that find no room are missing from the result; `placed` are figures of the same group that stand already.
    Places are tried on a lattice a fifth of two bases' width apart, then, for those left, on one twice as fine.
    """
    site = _Site(room, max((radius for _, radius in figures), default=0))
    found: dict[FigureId, Base] = {}
    for fineness in (5, 10):
        for radius in sorted({radius for id, radius in figures if id not in found}, reverse=True):
            waiting = [id for id, own in figures if own == radius and id not in found]
            step = max(1, (room.lead.radius + radius) // (fineness if room.fringe is None else fineness // 2))
            _fill(site, waiting, radius, step, found, placed)
    return tuple([found[id] for id, _ in figures if id in found])


def _fill(
    site: _Site,
    waiting: Sequence[FigureId],
    radius: int,
    step: int,
    found: dict[FigureId, Base],
    placed: Sequence[Base],
) -> None:
    """Give places to figures of one size. A place that does not suit one of them suits none: one pass is enough."""
    ahead_x, ahead_y = site.room.heading
    x, y = site.room.lead.at
    taken = [(*b.at, (b.radius + radius) ** 2) for b in (*site.bases[1:], *placed, *found.values())]
    queue = list(reversed(waiting))
    for dx, dy in ring(step, site.room.lead.radius + radius, site.reach):  # nearer places overlap the lead
        if not queue:
            return
        if dx * ahead_x + dy * ahead_y > 0:
            continue
        px, py = x + dx, y + dy
        for bx, by, square in taken:  # most places are taken: this loop is the hot one
            if (px - bx) * (px - bx) + (py - by) * (py - by) < square:
                break
        else:
            # nearly all free places lie across a wall or edge: the last test of `fault` goes first
            if site.ground_fault((px, py), radius) is None and site.fault((px, py), radius) is None:
                figure = Base(queue.pop(), (px, py), radius)
                found[figure.id] = figure
                taken.append((px, py, 4 * radius * radius))
