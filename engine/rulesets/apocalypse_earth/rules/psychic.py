"""Psychics: who may try which power at what (AE-PSY-01, AE-OPEN-25)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules import activations, officers, sighting, traits
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.model import Point
from engine.rulesets.apocalypse_earth.state.profiles import Power
from engine.rulesets.apocalypse_earth.state.state import POWERS as STEP, TABLE, Battle, Figure, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import Shape, shape_gap
from protocol.ids import NO_FIGURE, GroupId

EACH: Final = 4
"""Powers that each point of a rating opens."""
DAMPED: Final = 1800
DAMPING: Final = 2
LOST: Final = "psi"
"""Damage of a vehicle whose psychic has fallen."""


def rating(state: Battle, figure: Figure) -> int:
    """Return the psychic rating of a figure, or of the psychic aboard a vehicle; 0 of all others."""
    own = state.figure_profile(figure)
    if own is not None:
        return own.psi
    profile, unit = state.resolved.forces[figure.owner].units[figure.entry], state.unit_of(figure.id)
    return profile.psi if traits.is_vehicle(profile) and not unit.hull.count(LOST) else 0


@implements("AE-PSY-01", "AE-OPEN-25")
def psychics(state: Battle, unit: Unit) -> list[Figure]:
    """Return the psychics of a unit who have tried nothing in this action, the strongest first."""
    cast = state.active.cast if state.active is not None and state.acts == unit.id else ()
    free = [one for one in state.members(unit) if rating(state, one) and not one.shaken and one.id not in cast]
    return sorted(free, key=lambda one: -rating(state, one))


@implements("AE-OPEN-25")
def known(state: Battle, unit: Unit, figure: Figure) -> list[Power]:
    """Return the powers that a psychic knows and its force has not tried in this turn."""
    tried = state.seats[unit.owner].powers
    most = EACH * rating(state, figure)
    return [power for power in state.resolved.powers.values() if power.number <= most and power.id not in tried]


@implements("AE-PSY-01", "AE-TURN-02")
def check_unit(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit whose psychics may use powers now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, STEP)
    forbid(unit.where != TABLE, "power/aboard")
    return unit


@implements("AE-OPEN-25")
def check_target(state: Battle, unit: Unit, power: Power, target: GroupId) -> Figure:
    """Return the psychic of a unit who can try a power at another unit. Raises IllegalIntent."""
    found, node = state.units.get(target), names.group_node(target)
    if found is None or found.where != TABLE or (found.hidden and state.hostile(found.owner, unit.owner)):
        raise IllegalIntent("power/no-target").showing(at=node)
    forbid(not _suits(state, unit, power, found), "power/no-target", node)
    able = [one for one in psychics(state, unit) if power in known(state, unit, one)]
    forbid(not able, "power/unknown")
    near = [one for one in able if _is_near(state, one, power, found)]
    forbid(not near, "power/too-far", node)
    seeing = [one for one in near if not power.sight or _sees(state, unit, one, found)]
    forbid(not seeing, "power/no-sight", node)
    return seeing[0]


@implements("AE-OPEN-25")
def _suits(state: Battle, unit: Unit, power: Power, target: Unit) -> bool:
    """Tell if a power does anything to such a unit."""
    hostile, drives = state.hostile(target.owner, unit.owner), traits.drives(state, target)
    match power.id:
        case "dread":
            return hostile and not target.suppressed
        case "foresight":
            return not hostile and target.acted and not (target.fired or target.suppressed or target.overwatch)
        case "far_voice":
            return bool(officers.radios(state, target)) if hostile else target.owner == unit.owner
        case "puppet":
            return hostile and not drives and state.combat_of(target.id) is None
    return {"enemy": hostile, "friend": not hostile, "infantry": hostile and not drives, "vehicle": hostile and drives}[
        power.at
    ]


def _is_near(state: Battle, psychic: Figure, power: Power, target: Unit) -> bool:
    own = sighting.shape(state, psychic)
    return not power.range or any(
        shape_gap(own, sighting.shape(state, one)) <= power.range for one in state.members(target)
    )


def _sees(state: Battle, unit: Unit, psychic: Figure, target: Unit) -> bool:
    if unit.id == target.id:
        return True
    return any(psychic in one.figures for one, _, _ in sighting.view(state, unit, target))


@implements("AE-OPEN-25")
def check_point(state: Battle, unit: Unit, power: Power, at: Point) -> Figure:
    """Return the psychic of a unit who can try a power at a point. Raises IllegalIntent."""
    able = [one for one in psychics(state, unit) if power in known(state, unit, one)]
    forbid(not able, "power/unknown")
    near = [one for one in able if sighting.gap_to_point(state, one, at) <= power.range]
    forbid(not near, "power/too-far", at)
    seeing = [one for one in near if sighting.sees_point(state, one, at)]
    forbid(not seeing, "power/no-sight", at)
    return seeing[0]


@implements("AE-OPEN-07", "AE-OPEN-25")
def difficulty(state: Battle, unit: Unit, power: Power, target: Unit | None, at: Point | None) -> int:
    """Return the number that a power needs: more for what is aimed near a figure that damps it."""
    nulls = [
        sighting.shape(state, figure)
        for other in state.seen(unit.owner)
        for figure in state.members(other)
        if traits.figure_has(state, figure, profiles.NULL)
    ]
    aimed: list[Shape] = [Base(NO_FIGURE, at, 0)] if at is not None else []
    aimed += [sighting.shape(state, figure) for figure in state.members(target)] if target is not None else []
    damped = any(shape_gap(one, other) <= DAMPED for one in nulls for other in aimed)
    return power.difficulty + (DAMPING if damped else 0)


def may_still_try(state: Battle, unit: Unit) -> bool:
    """Tell if the acting unit has a psychic left who knows a power."""
    if state.active is None or state.active.step > STEP or unit.where != TABLE or unit.suppressed:
        return False
    return any(known(state, unit, figure) for figure in psychics(state, unit))
