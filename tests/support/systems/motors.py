"""Vehicles and crewed weapons for small tables: a faction that has one of each, put down where a test wants them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import Intent
from engine.kit.changes import changed_at
from engine.rulesets.action_cards.state.model import (
    Faction,
    Feature,
    Gun,
    Kill,
    Organisation,
    Point,
    Profile,
    Terrain,
    Vehicle,
    Weapon,
)
from engine.rulesets.action_cards.state.state import Figure, Group, Ride, Skirmish
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish

HULL: Final = Kill(20, 24, 28)
CAR: Final = Profile(
    "car", "figure.car", ("cannon",), 5, 0, 100, vehicle=Vehicle("off_road", 400, 200, 1200, HULL, 4, ("rear", "left"))
)
LORRY: Final = Profile(
    "lorry", "figure.lorry", (), 0, 0, 100, vehicle=Vehicle("road", 400, 200, 1400, HULL, 9, ("rear", "right"))
)
GULL: Final = Profile(
    "gull", "figure.gull", ("cannon",), 5, 0, 100, vehicle=Vehicle("air", 400, 200, 2400, HULL, 4, ("left",))
)
MORTAR: Final = Profile("mortar", "figure.mortar", (), 0, 1, radius=90, crew=3, gun=Gun("mortar", blast=6, least=2))
LOBBER: Final = Profile("lobber", "figure.lobber", ("bombs",), 0, 1, blast=3)
MOTORS: Final = Faction(
    "motors",
    "faction.motors",
    4,
    800,
    Kill(6, 9, 12),
    (skirmish.RIFLE, CAR, LORRY, GULL, MORTAR, LOBBER),
    (
        Weapon("rifle", "weapon.rifle", 1),
        Weapon("cannon", "weapon.cannon", 5),
        Weapon("mortar", "weapon.mortar", 6, blast=True),
        Weapon("bombs", "weapon.bombs", 3, blast=True),
    ),
    (("rifle",) * 4,),
    organisations=(Organisation("riders", "organisation.riders", 3, 1200),),
)
FACTIONS: Final = (MOTORS, skirmish.UNIT, skirmish.DALEKS, skirmish.MILITIA)
RUBBLE: Final = Terrain("rubble", "cover", False)


def table(
    groups: Mapping[str, Sequence[Point]],
    features: Iterable[Feature] = (),
    cards: Sequence[str] = ("0.triple.1",),
    **changes: Any,
) -> Skirmish:
    """Return `skirmish.table` with the faction of vehicles in seat 0, and rubble known."""
    state = skirmish.table(groups, features, FACTIONS, cards, **changes)
    return replace(state, resolved=replace(state.resolved, terrain={**state.resolved.terrain, "rubble": RUBBLE}))


def with_vehicle(
    state: Skirmish, id: GroupId, kind: str, at: Point, facing: int = 0, *, airborne: bool = False
) -> Skirmish:
    """Return the table with one vehicle more: group `id`, figure `id`/1."""
    seat = int(id.partition(".")[0])
    figure = Figure(FigureId(f"{id}/1"), seat, kind, at, facing=facing, airborne=airborne)
    group = Group(id, seat, (figure.id,), len(state.groups) + 1)
    return replace(
        replace(state, seats=changed_at(state.seats, seat, alive=True)),
        figures={**state.figures, figure.id: figure},
        groups={**state.groups, id: group},
        group_count=state.group_count + 1,
    )


def with_crew(state: Skirmish, id: GroupId, at: Point, count: int = 3, kind: str = "mortar") -> Skirmish:
    """Return the table with a crewed weapon more: a number of figures on one base."""
    seat = int(id.partition(".")[0])
    ids = tuple(FigureId(f"{id}/{n}") for n in range(1, count + 1))
    crew = {one: Figure(one, seat, kind, at, ids[0] if count > 1 else "") for one in ids}
    group = Group(id, seat, ids, len(state.groups) + 1)
    present = replace(state, seats=changed_at(state.seats, seat, alive=True))
    return replace(present, figures={**state.figures, **crew}, groups={**state.groups, id: group})


def aboard(state: Skirmish, id: GroupId, vehicle: FigureId) -> Skirmish:
    """Return the table with a group inside a vehicle's figure."""
    group = state.groups[id]
    ride = Ride(group, tuple(state.figures[figure] for figure in group.figures), vehicle)
    return replace(
        state,
        figures={one: figure for one, figure in state.figures.items() if one not in group.figures},
        groups={one: other for one, other in state.groups.items() if one != id},
        aboard={**state.aboard, id: ride},
    )


def refusal(play: skirmish.Play, seat: int, intent: Intent) -> str:
    """Return the code with which an intent is refused; "" where it is not."""
    try:
        play.do(seat, intent)
    except IllegalIntent as illegal:
        return illegal.refusal.code
    return ""
