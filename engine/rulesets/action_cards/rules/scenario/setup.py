"""Setup: forces in their start zones, terrain left to chance (AC-SETUP-01), and reserves (AC-SCEN-01)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import msgspec

from engine.core.rules.errors import SetupRefused
from engine.kit.rules import Game, implements
from engine.kit.scenario.placing import APART, Stand, StartZone, slots
from engine.kit.terrain import scatter
from engine.kit.terrain.passability import Passability
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state.event_facts import TableLaid
from engine.rulesets.action_cards.state.model import Faction, Feature, Point, Profile, Resolved, Scenario, Terrain
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, SeatState, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import ReserveArrived
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


class Squad(NamedTuple):
    """Group to be placed: its id, number and organisation, its bases, and its preferred place."""

    id: GroupId
    number: int
    kind: str
    bodies: list[Body]
    slot: Point


@implements("AC-SETUP-01")
def start(resolved: Resolved, seats: int) -> Skirmish:
    """Return the state at the start. Raises SetupRefused where groups are too large or find no room."""
    if not seats == len(resolved.factions) == len(resolved.scenario.roles):
        raise SetupRefused(Text("setup.seats", {"seats": len(resolved.scenario.roles), "given": seats}))
    state = Skirmish(resolved, tuple(SeatState(faction.id) for faction in resolved.factions))
    for seat, faction in enumerate(resolved.factions):
        state = _with_force(state, seat, faction)
    return msgspec.structs.replace(state, group_count=len(state.groups))


def _with_force(state: Skirmish, seat: int, faction: Faction) -> Skirmish:
    """Place one faction: spread over its start zone, else packed into it. Raises SetupRefused."""
    role = state.resolved.scenario.roles[seat]
    outline, later = role.start, _arrivals(state, seat)
    squads = list(_squads(faction, seat, slots(outline, len(faction.force) - len(later), len(later))))
    coming = dict(zip([squad.id for squad in reversed(squads)], later, strict=False))
    first = [squad for squad in squads if squad.id not in coming]
    packed = [squad._replace(slot=outline[0]) for squad in first]
    facing = nearest_heading(role.facing)
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
            place = coming[squad.id]
            aboard[squad.id] = Ride(group, standing, due=role.reserves[place].row, place=place)
        else:
            figures |= {figure.id: figure for figure in standing}
            groups[squad.id] = group
    return msgspec.structs.replace(state, figures=figures, groups=groups, aboard=aboard)


@implements("AC-SCEN-01")
def _arrivals(state: Skirmish, seat: int) -> list[int]:
    """Return which of its role's reserves a force's last groups are, from the last on: at least one group starts on the
    table."""
    reserves = state.resolved.scenario.roles[seat].reserves
    wanted = [place for place, one in enumerate(reserves) for _ in range(one.groups)]
    return wanted[: len(state.faction(seat).force) - 1]


def _places_of_force(
    state: Skirmish, outline: Outline, squads: Sequence[Squad], facing: int, apart: int
) -> dict[FigureId, Point] | None:
    """Return a place for every figure, vehicles first, which need most room; None without room."""
    others = _standing(state)
    places: dict[FigureId, Point] = {}
    for squad in sorted(squads, key=lambda squad: squad.bodies[0].profile.vehicle is None):
        zone = StartZone.of(table.board(state).scenery, outline, others, apart)
        found = zone.places([stand_of(body.profile) for body in squad.bodies], squad.slot, facing)
        if found is None:
            return None
        for body, at in zip(squad.bodies, found, strict=True):
            others += stand_of(body.profile).discs(at, facing)
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
    down = [figure for figure in state.figures.values() if not figure.airborne]
    return [disc for one in down for disc in stand_of(state.profile(one)).discs(one.at, one.facing)]


def places_for(state: Skirmish, outline: Outline, bodies: Sequence[Body], facing: int = 0) -> list[Point] | None:
    """Return a group's places on the present table around the middle of an outline; None without room."""
    zone = StartZone.of(table.board(state).scenery, outline, _standing(state))
    return zone.places([stand_of(body.profile) for body in bodies], slots(outline, 1)[0], facing)


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


LAID_BY: Final = "order.table"
CLEAR_OF_STARTS: Final = 150


@implements("AC-SETUP-01")
def passability(scenario: Scenario, terrain: Mapping[str, Terrain]) -> Passability:
    """Return the ways on a table. Goals are the zones, and the features that conditions and special actions name."""
    conditions = [c for role in scenario.roles for c in role.conditions]
    named = {special.feature for special in scenario.specials}
    named |= {condition.feature for condition in (*conditions, *scenario.secrets)}
    goals = [f.outline for f in scenario.features if f.id in named] + [zone.outline for zone in scenario.zones]
    walls = [f.outline for f in scenario.features if terrain[f.kind].is_wall]
    return Passability(scenario.size, tuple([role.start for role in scenario.roles]), tuple(goals), tuple(walls))


@implements("AC-SETUP-01")
def lay_terrain(game: Game[Skirmish]) -> None:
    """Lay the pieces that the scenario leaves to chance."""
    resolved = game.state.resolved
    ways = passability(resolved.scenario, resolved.terrain)
    bare = scatter.Bare(ways, tuple([f.outline for f in resolved.scenario.features]), CLEAR_OF_STARTS)
    laid = scatter.lay(game, bare, resolved.scenario.scatter, lambda one: resolved.terrain[one.kind].is_wall, LAID_BY)
    features = [
        Feature(f"{one.id}_{n}", one.kind, one.name, piece.outline, piece.side_middles if one.doors else ())
        for one, pieces in laid
        for n, piece in enumerate(pieces, 1)
    ]
    game.emit(TableLaid(tuple(features)))


def waiting(state: Skirmish) -> tuple[Ride, ...]:
    """Return the groups that are yet to arrive, in the order they are due."""
    return tuple(sorted((ride for ride in state.aboard.values() if ride.due), key=lambda ride: ride.due))


@implements("AC-SCEN-01", "AC-ACT-02")
async def bring_reserves(game: Game[Skirmish]) -> None:
    """Place the groups that are due by now, each where all of it finds room; else it tries again with the next row."""
    for ride in waiting(game.state):
        places = _places_of_arrivals(game.state, ride) if ride.due <= game.state.turn else None
        if places is not None:
            game.emit(ReserveArrived(ride.group.id, places))


def _places_of_arrivals(state: Skirmish, ride: Ride) -> dict[FigureId, Point] | None:
    """Return the places of an arriving group's figures around the middle of its entry zone; None without room."""
    group = ride.group
    outline = state.resolved.scenario.roles[group.owner].reserves[ride.place].start
    members = [figure.profile for figure in ride.figures]
    bodies = bodies_of(state.faction(group.owner), members, group.figures)
    found = places_for(state, outline, bodies, ride.figures[0].facing)
    if found is None:
        return None
    return {figure: at for body, at in zip(bodies, found, strict=True) for figure in body.figures}
