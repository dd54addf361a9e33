"""Setup: the state at the start, with every faction's groups in its start zone (AC-SETUP-01)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from engine.core.rules.errors import SetupRefused
from engine.core.rules.implements import implements
from engine.kit.scenario.placing import APART, Stand, StartZone, slots
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state.model import Faction, Point, Profile, Resolved
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, SeatState, Skirmish
from engine.space.terrain.contact import Base
from engine.space.vectors.headings import nearest_heading
from engine.space.vectors.outlines import Outline
from protocol.ids import FigureId, GroupId
from protocol.text import Text

CLOSE: Final = 30
"""Least distance of groups in a start zone that is too small for the usual one."""


class Body(NamedTuple):
    """Figures that share one base; most often it is one."""

    figures: tuple[FigureId, ...]
    profile: Profile

    @property
    def stand(self) -> Stand:
        """The base as ground that it covers."""
        return stand_of(self.profile)


class Squad(NamedTuple):
    """Group to be placed: its id, number and organisation, its bases, and its preferred place."""

    id: GroupId
    number: int
    kind: str
    bodies: list[Body]
    slot: Point


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
    squads = list(_squads(faction, seat, slots(outline, len(faction.force) - len(later), len(later))))
    coming = dict(zip([squad.id for squad in reversed(squads)], later, strict=False))
    first = [squad for squad in squads if squad.id not in coming]
    packed = [squad._replace(slot=outline[0]) for squad in first]
    facing = nearest_heading(state.resolved.scenario.roles[seat].facing)
    square = (facing + 45) // 90 * 90 % 360
    for tried, looks, apart in (
        *((first, facing, APART), (packed, facing, APART)),
        *((first, square, APART), (packed, square, APART), (packed, square, CLOSE)),
    ):
        places = _places_of_force(state, outline, tried, looks, apart)
        if places is not None:
            break
    else:
        raise SetupRefused(Text("setup.no-room", {"faction": Text(faction.name)}))
    figures, groups, aboard = dict(state.figures), dict(state.groups), dict(state.aboard)
    for squad in squads:
        members = tuple([figure for body in squad.bodies for figure in body.figures])
        group = Group(squad.id, seat, members, squad.number, kind=squad.kind)
        taken = [places.get(body.figures[0], outline[0]) for body in squad.bodies]
        standing = tuple(figures_at(seat, squad.bodies, taken, looks))
        if squad.id in coming:
            aboard[squad.id] = Ride(group, standing, due=coming[squad.id].row, place=coming[squad.id].place)
        else:
            figures |= {figure.id: figure for figure in standing}
            groups[squad.id] = group
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
    state: Skirmish, outline: Outline, squads: Sequence[Squad], facing: int, apart: int
) -> dict[FigureId, Point] | None:
    """Return a place for every figure of a force; None without room. Vehicles, which need most room, are placed
    first."""
    others = _standing(state)
    places: dict[FigureId, Point] = {}
    for squad in sorted(squads, key=lambda squad: squad.bodies[0].profile.vehicle is None):
        zone = StartZone.of(table.board(state).scenery, outline, others, apart)
        found = zone.places([body.stand for body in squad.bodies], squad.slot, facing)
        if found is None:
            return None
        for body, at in zip(squad.bodies, found, strict=True):
            others += body.stand.discs(at, facing)
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


def stand_of(profile: Profile) -> Stand:
    """Return the base of a figure as ground that it covers."""
    vehicle = profile.vehicle
    return Stand(profile.radius) if vehicle is None else Stand(profile.radius, vehicle.length, vehicle.width)


def _standing(state: Skirmish) -> list[Base]:
    """Return the discs that all figures on the ground cover."""
    down = [figure for figure in state.figures.values() if not figure.airborne]
    return [disc for one in down for disc in stand_of(state.profile(one)).discs(one.at, one.facing)]


def places_for(state: Skirmish, outline: Outline, bodies: Sequence[Body], facing: int = 0) -> list[Point] | None:
    """Return the places of a group that comes on to the present table around the middle of an outline; None without
    room."""
    zone = StartZone.of(table.board(state).scenery, outline, _standing(state))
    return zone.places([body.stand for body in bodies], slots(outline, 1)[0], facing)


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
