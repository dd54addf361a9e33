"""Formations: the members of a group around their lead, and the room that they have there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import msgspec

from engine.space.placement.coherency import Fits, gather, strayed
from engine.space.placement.figures import Room, place_around
from engine.space.terrain.contact import Base, contact_point, first_overlapped, first_touched
from engine.space.terrain.features import PreparedArea, Scenery
from engine.space.vectors.outlines import place_near_outline
from engine.space.vectors.points import Box, Point, box_around, boxes_meet, in_box, squared, widened
from protocol.ids import FigureId

T = TypeVar("T")
Member = tuple[FigureId, int]
"""A figure, by id, and the radius of its base."""


class Cluster(NamedTuple):
    """Discs that no base may meet (x, y and reach, in hundredths of the system's unit), and the box around them all."""

    box: Box
    discs: list[tuple[int, int, int]]


def cluster(discs: list[tuple[int, int, int]]) -> Cluster:
    """Put one disc or more in a box."""
    left, bottom, right, top = zip(*[box_around((x, y), reach) for x, y, reach in discs], strict=True)
    return Cluster((min(left), min(bottom), max(right), max(top)), discs)


class LeadRoom:
    """Room for the members of a group around their lead: on the table, clear of the discs of others, in no closed
    area, on no barrier; and, unless they fly, straight to reach from the lead past all closed areas.

    `reach`: how far from the lead it is looked into, with room for the widest disc. `within`: a box that no base may
    leave, None for all of the table.
    """

    def __init__(
        self,
        scenery: Scenery,
        lead: Point,
        closed: list[PreparedArea],
        clear: Iterable[Cluster],
        reach: int,
        *,
        flies: bool = False,
        within: Box | None = None,
    ) -> None:
        self.scenery = scenery
        self.lead = lead
        self.closed = closed
        self.flies = flies
        self.within = within
        near = box_around(lead, reach)
        self.clear = [one for one in clear if boxes_meet(one.box, near)]

    def fault(self, p: Point, radius: int) -> str:
        """Return the code of the reason why no base of this size may stand there; "" where it may."""
        if self.within is not None and not in_box(p, widened(self.within, -radius)):
            return "zone"
        if not self.scenery.has_disc(p, radius):
            return "off-table"
        x, y = p
        for (left, bottom, right, top), discs in self.clear:
            if left - radius < x < right + radius and bottom - radius < y < top + radius:
                for bx, by, apart in discs:
                    if (x - bx) * (x - bx) + (y - by) * (y - by) < (apart + radius) ** 2:
                        return "too-near"
        for area in self.closed:
            if in_box(p, widened(area.box, radius)) and place_near_outline(p, area.outline, radius):
                return "impassable"
            if p != self.lead and not self.flies and area.pierced_by(self.lead, p):
                return "beyond-obstacle"
        if any(barrier.near(p, 1) for barrier in self.scenery.barriers):
            return "on-barrier"
        return ""

    def fits(self, p: Point, radius: int) -> bool:
        """Tell if a base of this size may stand there."""
        return not self.fault(p, radius)

    def leads_at(self, places: Iterable[Point], radius: int) -> Iterator[Point]:
        """Yield those places at which a lead of this size may stand; the room is then around them. Most are refused for
        the lead alone: the members' room need not be made there."""
        for self.lead in places:
            if self.fits(self.lead, radius):
                yield self.lead


class Coherency(NamedTuple):
    """Coherency of a group: each member is at most `spread` from the lead, and at most `link` from the next one of a
    chain that leads there; in hundredths of the system's unit, edge to edge."""

    spread: int
    link: int

    def around(
        self, lead: Base, members: Sequence[Member], fits: Fits, pull: Collection[Point] = ()
    ) -> dict[FigureId, Point]:
        """Return the places of the lead and of all members that find one, as near to it, or to a point of `pull`, as
        possible."""
        found = gather(lead, members, fits, self.spread, self.link, pull=pull)
        return {lead.id: lead.at, **{base.id: base.at for base in found}}

    def joined(self, placed: Sequence[Base], members: Sequence[Member], fits: Fits) -> dict[FigureId, Point]:
        """Return the places of all members that find one beside those who stand already, the lead first."""
        found = gather(placed[0], members, fits, self.spread, self.link, placed[1:])
        return {base.id: base.at for base in found}

    def fault(self, placed: Sequence[Base], reason: Callable[[Point, int], str]) -> tuple[str, FigureId]:
        """Return the first fault of chosen places, the lead's first, and whose it is; ("", its id) without one.
        `reason`: why no base of a size may stand at a place."""
        for number, base in enumerate(placed):
            why = reason(base.at, base.radius)
            if why:
                return why, base.id
            if any(squared(base.at, other.at) < (base.radius + other.radius) ** 2 for other in placed[:number]):
                return "overlap", base.id
        away = strayed(placed[0], placed[1:], self.spread, self.link)
        return ("formation", away) if away is not None else ("", placed[0].id)

    def closed_up(self, placed: Sequence[Base], fits: Fits) -> dict[FigureId, Point]:
        """Return new places, as far as there are any, of members that have lost touch; the others stay."""
        lead, rest = placed[0], list(placed[1:])
        loose: list[Member] = []
        while (away := strayed(lead, rest, self.spread, self.link)) is not None:
            base = next(base for base in rest if base.id == away)
            loose.append((away, base.radius))
            rest.remove(base)
        return self.joined([lead, *rest], loose, fits)

    def stepped_in(self, placed: Sequence[Base], foes: Sequence[Base], fits: Fits, reach: int) -> dict[FigureId, Point]:
        """Return new places, in contact with foes, of members that come there by at most `reach` and keep touch; the
        nearest step first, each to one of its three nearest foes. The lead, placed first, stays."""
        lead, now = placed[0], {base.id: base for base in placed}
        for base in sorted(placed[1:], key=lambda base: min(squared(base.at, foe.at) for foe in foes)):
            if first_touched(base, foes) is not None:
                continue
            for foe in sorted(foes, key=lambda foe: squared(foe.at, base.at))[:3]:
                step = Base(base.id, contact_point(base, foe), base.radius)
                others = [other for other in now.values() if other.id != base.id]
                if squared(step.at, base.at) > reach * reach or not fits(step.at, step.radius):
                    continue
                if first_overlapped(step, others) is not None:
                    continue
                members = [step if other.id == base.id else other for other in now.values() if other.id != lead.id]
                if strayed(lead, members, self.spread, self.link) is None:
                    now[base.id] = step
                    break
        return {base.id: now[base.id].at for base in placed if now[base.id].at != base.at}


def stood_in(rooms: Iterable[Room], members: Sequence[Member], placed: Sequence[Base] = ()) -> dict[FigureId, Base]:
    """Stand members in the first room, those who find no place there in the next, and so on; `placed` stand already.
    Who finds none is missing."""
    found: dict[FigureId, Base] = {}
    for room in rooms:
        left = [member for member in members if member[0] not in found]
        if not left:
            break
        found |= {base.id: base for base in place_around(room, left, (*placed, *found.values()))}
    return found


def with_fringes(room: Room) -> list[Room]:
    """Return a room, and those outside each area that holds its lead, for members who find no place inside."""
    held = room.scenery.areas_at(room.lead.at)
    return [room, *(msgspec.structs.replace(room, fringe=area) for area in held)]


def first_stand(places: Iterable[Point], stand: Callable[[Point], T | None], tries: int) -> T | None:
    """Return the stand of a group at the first place where it has one, of so many tried; None without such a place."""
    return next((found for at in islice(places, tries) if (found := stand(at)) is not None), None)
