"""Setup: the state at the start, with every faction's groups in its start zone (AC-SETUP-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from engine.core.rules.errors import SetupRefused
from engine.core.rules.implements import implements
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state.model import Faction, Point, Profile, Resolved
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, SeatState, Skirmish
from engine.space.terrain.contact import Base
from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.vectors.headings import ahead, nearest_heading
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.lattice import offsets
from engine.space.vectors.outlines import contains, point_near_outline
from engine.space.vectors.points import Box, box_of, ceil_sqrt, in_box, point_nearer, squared, widened
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.text import Text

APART: Final = 100
"""Groups start at least so far from each other, edge to edge."""
BESIDE: Final = 20
"""Figures of one group start at least so far from each other."""
CLOSE: Final = 30
"""Least distance of groups in a start zone that is too small for `APART`."""
DISCS: Final = 4
"""The base of a vehicle is told by so many discs in a row that cover it."""
STEPS: Final = (40, 15)
"""Places are tried on a coarse lattice, then, where that has none left, on a fine one."""


class Body(NamedTuple):
    """Figures that share one base; most often it is one."""

    figures: tuple[FigureId, ...]
    profile: Profile


class Squad(NamedTuple):
    """Group to be placed: its id, number and organisation, its bases, and its preferred place."""

    id: GroupId
    number: int
    kind: str
    bodies: list[Body]
    slot: Point


class SetupZone(NamedTuple):
    """Start zone of a faction, with the terrain in it and the bases it keeps clear of."""

    scenery: Scenery
    outline: tuple[Point, ...]
    areas: tuple[PreparedArea, ...]
    barriers: tuple[PreparedBarrier, ...]
    others: tuple[Base, ...]
    apart: int = APART

    def room_for(self, profile: Profile, facing: int, group: Sequence[Base]) -> Callable[[Point], bool]:
        """Return a test whether a base of a group may start at a place: wholly in the zone, on open ground, with its
        group."""
        discs = [self._free(disc, group, wide=profile.vehicle is not None) for disc in _discs(profile, (0, 0), facing)]

        def free(at: Point) -> bool:
            return all(fits((at[0] + dx, at[1] + dy)) for (dx, dy), fits in discs)

        return free if len(discs) > 1 else discs[0][1]

    def _free(self, disc: Base, group: Sequence[Base], *, wide: bool) -> tuple[Point, Callable[[Point], bool]]:
        """Return that test for one disc, with the disc's place in its base. A `wide` one may not overlap the edge of an
        area."""
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

        return disc.at, free


def _zone(scenery: Scenery, outline: tuple[Point, ...], others: Iterable[Base], apart: int = APART) -> SetupZone:
    box = box_of(outline)
    near = tuple([base for base in others if in_box(base.at, widened(box, APART + base.radius * 2))])
    return SetupZone(scenery, outline, scenery.areas_near(box), scenery.barriers_near(box), near, apart)


def _discs(profile: Profile, at: Point, facing: int) -> list[Base]:
    """Return the discs that a base covers: itself, or of a vehicle some along its length."""
    vehicle = profile.vehicle
    if vehicle is None:
        return [Base(NO_FIGURE, at, profile.radius)]
    part = vehicle.length // DISCS
    radius = ceil_sqrt((part + 1) ** 2 + vehicle.width**2) // 2 + 1
    places = [(2 * n + 1) * vehicle.length // (2 * DISCS) - vehicle.length // 2 for n in range(DISCS)]
    return [Base(NO_FIGURE, ahead(at, facing, place), radius) for place in places]


@implements("AC-SETUP-01")
def start(resolved: Resolved, seats: int) -> Skirmish:
    """Return the state at the start of a match: each seat controls one faction. Raises SetupRefused where groups are
    larger than their organisation or find no room."""
    if not seats == len(resolved.factions) == len(resolved.scenario.roles):
        raise SetupRefused(Text("setup.seats", {"seats": len(resolved.scenario.roles), "given": seats}))
    state = Skirmish(resolved, tuple(SeatState(faction.id) for faction in resolved.factions))
    for seat, faction in enumerate(resolved.factions):
        state = _with_force(state, seat, faction)
    return msgspec.structs.replace(state, group_count=len(state.groups))


def _with_force(state: Skirmish, seat: int, faction: Faction) -> Skirmish:
    """Place one faction: spread over its start zone, or, where that is too small, packed into it. Raises
    SetupRefused."""
    outline = state.resolved.scenario.roles[seat].start
    later = _arrivals(state, seat)
    squads = list(_squads(faction, seat, _slots(outline, len(faction.force) - len(later), len(later))))
    coming = {squad.id: due for squad, due in zip(reversed(squads), later, strict=False)}
    squads, others = [s for s in squads if s.id not in coming], [s for s in squads if s.id in coming]
    packed = [squad._replace(slot=outline[0]) for squad in squads]
    facing = nearest_heading(state.resolved.scenario.roles[seat].facing)
    square = (facing + 45) // 90 * 90 % 360
    for slots, looks, apart in (
        *((squads, facing, APART), (packed, facing, APART)),
        *((squads, square, APART), (packed, square, APART), (packed, square, CLOSE)),
    ):
        places = _places_of_force(state, outline, slots, looks, apart)
        if places is not None:
            break
    else:
        raise SetupRefused(Text("setup.no-room", {"faction": Text(faction.name)}))
    figures, groups = dict(state.figures), dict(state.groups)
    for squad in squads:
        taken = [places[body.figures[0]] for body in squad.bodies]
        figures |= {figure.id: figure for figure in figures_at(seat, squad.bodies, taken, looks)}
        members = tuple(figure for body in squad.bodies for figure in body.figures)
        groups[squad.id] = Group(squad.id, seat, members, squad.number, kind=squad.kind)
    aboard = dict(state.aboard)
    for squad in others:
        members = tuple(figure for body in squad.bodies for figure in body.figures)
        kept = tuple(figures_at(seat, squad.bodies, [outline[0]] * len(squad.bodies), looks))
        group = Group(squad.id, seat, members, squad.number, kind=squad.kind)
        aboard[squad.id] = Ride(group, kept, due=coming[squad.id].row, place=coming[squad.id].place)
    return msgspec.structs.replace(state, figures=figures, groups=groups, aboard=aboard)


class Arrival(NamedTuple):
    """Arrival of a group that is kept back: its row, and which of its role's reserves it is."""

    row: int
    place: int


@implements("AC-SCEN-01")
def _arrivals(state: Skirmish, seat: int) -> list[Arrival]:
    """Return the arrivals of a force's last groups, from the last on: at least one group starts on the table."""
    reserves = state.resolved.scenario.roles[seat].reserves
    wanted = [Arrival(one.row, place) for place, one in enumerate(reserves) for _ in range(one.groups)]
    return wanted[: len(state.faction(seat).force) - 1]


def _places_of_force(
    state: Skirmish, outline: tuple[Point, ...], squads: Sequence[Squad], facing: int, apart: int
) -> dict[FigureId, Point] | None:
    """Return a place for every figure of a force; None without room. Vehicles, which need most room, are placed
    first."""
    others = _standing(state)
    places: dict[FigureId, Point] = {}
    for squad in sorted(squads, key=lambda squad: squad.bodies[0].profile.vehicle is None):
        zone = _zone(table.scenery_of(state), outline, others, apart)
        found = _places(zone, squad.bodies, squad.slot, facing)
        if found is None:
            return None
        for body, at in zip(squad.bodies, found, strict=True):
            others += _discs(body.profile, at, facing)
            places |= dict.fromkeys(body.figures, at)
    return places


@implements("AC-SETUP-01")
def _squads(faction: Faction, seat: int, slots: Sequence[Point]) -> Iterator[Squad]:
    """Yield the groups of a faction's force. Raises SetupRefused for one that is larger than its organisation."""
    serial = 0
    kinds = faction.kinds or ("",) * len(faction.force)
    for number, (members, kind, slot) in enumerate(zip(faction.force, kinds, slots, strict=True), 1):
        size = faction.organisation(kind).size
        if len(members) > size:
            raise SetupRefused(Text("setup.group-too-large", {"faction": Text(faction.name), "size": size}))
        bodies = bodies_of(faction, members, [FigureId(f"{seat}-{serial + n:02}") for n, _ in enumerate(members, 1)])
        yield Squad(GroupId(f"{seat}.{number}"), number, kind, bodies, slot)
        serial += len(members)


def _standing(state: Skirmish) -> list[Base]:
    """Return the discs that all figures on the ground cover."""
    return [
        disc
        for figure in state.figures.values()
        for disc in _discs(state.profile(figure), figure.at, figure.facing)
        if not figure.airborne
    ]


def places_for(
    state: Skirmish, outline: tuple[Point, ...], bodies: Sequence[Body], slot: Point, facing: int = 0
) -> list[Point] | None:
    """Return the places of a group that comes on to the present table within an outline; None without room."""
    return _places(_zone(table.scenery_of(state), outline, _standing(state)), bodies, slot, facing)


@implements("AC-SETUP-01")
def bodies_of(faction: Faction, members: Sequence[str], ids: Sequence[FigureId]) -> list[Body]:
    """Return the bases of a group, of these profiles and with these ids: one a figure, but for crews, who share one."""
    profiles = {profile.id: profile for profile in faction.profiles}
    bodies: list[Body] = []
    for profile, found in groupby(zip(members, ids, strict=True), key=lambda pair: pair[0]):
        own, crew = [id for _, id in found], profiles[profile].crew
        bodies += [Body(tuple(own[n : n + crew]), profiles[profile]) for n in range(0, len(own), crew)]
    return bodies


def figures_at(seat: int, bodies: Sequence[Body], places: Sequence[Point], facing: int) -> Iterator[Figure]:
    """Yield the figures of these bases, each at its place; vehicles face `facing`."""
    for body, at in zip(bodies, places, strict=True):
        shared = body.figures[0] if len(body.figures) > 1 else ""
        heading = facing if body.profile.vehicle else 0
        yield from (Figure(id, seat, body.profile.id, at, shared, heading) for id in body.figures)


def _slots(outline: tuple[Point, ...], count: int, more: int = 0) -> list[Point]:
    """Return the middles of `count` equal parts of the zone, along its longer side, and its middle for `more`
    others."""
    left, bottom, right, top = box_of(outline)
    middle = ((left + right) // 2, (bottom + top) // 2)
    if right - left >= top - bottom:
        parts = [(left + (right - left) * (2 * n + 1) // (2 * count), middle[1]) for n in range(count)]
    else:
        parts = [(middle[0], bottom + (top - bottom) * (2 * n + 1) // (2 * count)) for n in range(count)]
    return [*parts, *([middle] * more)]


def _places(zone: SetupZone, bodies: Sequence[Body], slot: Point, facing: int = 0) -> list[Point] | None:
    """Return a place for each base, the first nearest to the slot, the others nearest to the first; None without
    room."""
    box = left, bottom, right, top = box_of(zone.outline)
    farthest = ceil_sqrt(squared((left, bottom), (right, top)))
    standing: list[Base] = []
    tried: Iterator[Point] = iter(())
    before: Profile | None = None
    for body in bodies:
        if len(standing) < 2 or body.profile is not before:
            tried = _tried(standing[0].at if standing else slot, farthest, box)
        # else go on from there: places refused to the body before do not suit a body like it
        before = body.profile
        at = next(filter(zone.room_for(body.profile, facing, standing), tried), None)
        if at is None:
            return None
        standing.append(Base(body.figures[0], at, body.profile.radius))
    return [base.at for base in standing]


def _tried(wish: Point, farthest: int, box: Box) -> Iterator[Point]:
    """Yield the places in a box around a wish, nearest first, on one lattice after the other."""
    x, y = wish
    left, bottom, right, top = box[0] - x, box[1] - y, box[2] - x, box[3] - y
    for step in STEPS:
        for dx, dy in offsets(step, farthest):
            if left <= dx <= right and bottom <= dy <= top:
                yield x + dx, y + dy
