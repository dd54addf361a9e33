"""Current state of vehicles: what their damage leaves of movement, weapons and aim (AE-OPEN-18, AE-OPEN-19)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.rules.table import traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.lasting import FOR_GOOD
from engine.rulesets.apocalypse_earth.state.profiles import VehicleClass, VehicleProfile, Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.footprints import BoxBase
from engine.space.vectors.arcs import quarters
from engine.space.vectors.points import Point
from protocol.ids import FigureId

STOPS: Final = ("whl", "trk", "eng", "crash")
"""Damage after which a vehicle does not move any more."""
SIX: Final = 6
OPEN_TOP: Final = 6
"""Top armour of trucks, out of which passengers fire."""
WINDOWS: Final = 4
"""The passengers that fire out of a truck."""


def vehicle(state: Battle, unit: Unit) -> VehicleProfile:
    """Return the profile of a vehicle. TypeError of infantry."""
    profile = state.profile(unit)
    if not traits.is_vehicle(profile):
        raise TypeError(f"{unit.id} is no vehicle")
    return profile


def class_of(state: Battle, unit: Unit) -> VehicleClass:
    """Return the class of a vehicle."""
    return state.resolved.classes[vehicle(state, unit).kind]


def box_of(state: Battle, unit: Unit, at: Point, facing: int) -> BoxBase:
    """Return the base of a vehicle at a place and heading."""
    profile = vehicle(state, unit)
    return BoxBase(at, facing, profile.length, profile.width, unit.leader)


def base_of(state: Battle, unit: Unit) -> BoxBase:
    """Return the base of a vehicle where it stands."""
    own = state.leader(unit)
    return box_of(state, unit, own.at, own.facing)


def has(state: Battle, unit: Unit, trait: str) -> bool:
    """Tell if a unit is a vehicle with this trait."""
    profile = state.profile(unit)
    return traits.is_vehicle(profile) and profile.has(trait)


@implements("AE-OPEN-19")
def is_immobile(unit: Unit) -> bool:
    """Tell if a vehicle will not move any more unless it is repaired."""
    hull = unit.hull
    return any(map(hull.count, STOPS)) or hull.count("leg") > 1 or hull.blocked.get("drv") == FOR_GOOD


@implements("AE-OPEN-19", "AE-OPEN-16")
def can_move(unit: Unit) -> bool:
    """Tell if a vehicle may move now."""
    return not (is_immobile(unit) or unit.suppressed or unit.hull.shaken or "drv" in unit.hull.blocked)


@implements("AE-OPEN-19")
def is_moving(state: Battle, unit: Unit) -> bool:
    """Tell if a vehicle counts as moving: on its way, or since it moved in its last action."""
    return unit.moved or (state.march is not None and state.march.unit == unit.id)


@implements("AE-OPEN-19", "AE-OPEN-16")
def allowance(state: Battle, unit: Unit) -> int:
    """Return how far a vehicle moves, in hundredths: half with damage to its lift or a leg."""
    halved = unit.hull.count("lift") or unit.hull.count("leg")
    return vehicle(state, unit).move // (2 if halved else 1)


@implements("AE-OPEN-19", "AE-OPEN-16")
def may_fire(state: Battle, unit: Unit, weapon: Weapon) -> bool:
    """Tell if a vehicle may fire a weapon now: none while its crew is shaken, not the main one without a gunner."""
    if unit.suppressed or unit.hull.shaken:
        return False
    return "gun" not in unit.hull.blocked or weapon.id != main_weapon(state, unit)


@implements("AE-OPEN-16")
def fires_out(state: Battle, rider: Unit) -> list[FigureId]:
    """Return the figures of a unit aboard that may fire: the first four in a truck, nobody in other vehicles."""
    vessel = state.units[rider.vessel]
    profile = vehicle(state, vessel)
    if profile.kind != "wheeled" or profile.armour.top > OPEN_TOP:
        return []
    aboard = [figure for unit in state.riders(vessel.id) for figure in unit.figures][:WINDOWS]
    return [figure for figure in rider.figures if figure in aboard]


def main_weapon(state: Battle, unit: Unit) -> str:
    """Return the id of a vehicle's main weapon, "" of one without any."""
    return next(iter(vehicle(state, unit).weapons), "")


@implements("AE-OPEN-19", "AE-OPEN-16")
def bears(state: Battle, unit: Unit, weapon: Weapon, at: Point) -> bool:
    """Tell if a vehicle's weapon bears on a place: all round, but only ahead with a jammed turret, of what has fallen
    all."""
    jammed = unit.hull.count("tur") and weapon.id == main_weapon(state, unit)
    if not jammed and unit.hull.count("leg") < 2:
        return True
    own = state.leader(unit)
    return "front" in quarters(own.at, own.facing, at)


@implements("AE-OPEN-18", "AE-OPEN-19")
def aim(state: Battle, unit: Unit, weapon: Weapon) -> int:
    """Return what a vehicle adds to the number to hit of a weapon: a targeting computer takes one from those that need
    a 6; without sights all need one more."""
    if not has(state, unit, profiles.TARGETING):
        return unit.hull.count("opt")
    return -1 if weapon.hit == SIX and not unit.hull.count("opt") else 0


@implements("AE-OPEN-18", "AE-OPEN-19")
def is_radio(state: Battle, unit: Unit) -> bool:
    """Tell if a vehicle counts as a radio operator: with the trait Command, while its set works."""
    return has(state, unit, profiles.COMMAND) and not unit.hull.count("com")
