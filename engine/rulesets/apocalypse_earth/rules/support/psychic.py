"""Psychics: who may try which power at what (AE-PSY-01, AE-OPEN-25)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.rules import IllegalIntent, forbid, implements
from engine.rulesets.apocalypse_earth.rules.table import sighting, traits
from engine.rulesets.apocalypse_earth.rules.turns import activations, officers
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.profiles import Power
from engine.rulesets.apocalypse_earth.state.state import POWERS, TABLE, Battle, Figure, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, GroupId

EACH: Final = 4
"""Powers that each point of a rating opens."""
DAMPED: Final = 1800
DAMPING: Final = 2
LOST: Final = "psi"
"""Damage of a vehicle whose psychic has fallen."""
STRINGS: Final = 1200
"""Greatest distance at which a puppet fires."""
PUPPET: Final = "puppet"


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
    cast = state.active.cast if state.active is not None else ()
    free = [one for one in state.members(unit) if rating(state, one) and not one.shaken and one.id not in cast]
    return sorted(free, key=lambda one: -rating(state, one))


@implements("AE-OPEN-25")
def known(state: Battle, unit: Unit, figure: Figure) -> list[Power]:
    """Return the powers that a psychic knows and its force has not tried in this turn."""
    tried, most = state.seats[unit.owner].powers, EACH * rating(state, figure)
    return [power for power in state.resolved.powers.values() if power.number <= most and power.id not in tried]


@implements("AE-PSY-01")
def check_unit(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return a unit whose psychics may use powers now. Raises IllegalIntent."""
    unit = activations.check_step(state, seat, id, POWERS)
    forbid(unit.where != TABLE, "power/aboard")
    forbid(not any(known(state, unit, figure) for figure in psychics(state, unit)), "power/unknown")
    return unit


@implements("AE-OPEN-25")
def check_target(state: Battle, unit: Unit, power: Power, target: GroupId) -> Figure:
    """Return the psychic of a unit who can try a power at another unit. Raises IllegalIntent."""
    found, node = state.units.get(target), names.group_node(target)
    if found is None or found.where != TABLE or (found.hidden and state.hostile(found.owner, unit.owner)):
        raise IllegalIntent("power/no-target").showing(at=node)
    forbid(not _suits(state, unit, power, found), "power/no-target", node)
    return caster(state, unit, power, found)


@implements("AE-OPEN-25")
def _suits(state: Battle, unit: Unit, power: Power, target: Unit) -> bool:
    """Tell if a power does anything to such a unit."""
    hostile, drives = state.hostile(target.owner, unit.owner), traits.drives(state, target)
    match power.id:
        case "dread":
            return hostile and not target.suppressed
        case "foresight":
            is_free = not (target.fired or target.suppressed or target.overwatch or state.combat_of(target.id))
            return not hostile and target.acted and is_free
        case "far_voice":
            return bool(officers.radios(state, target)) if hostile else target.owner == unit.owner
        case "puppet":
            free = hostile and not drives and state.combat_of(target.id) is None
            return free and any(True for _ in victims(state, target.id))
    return {"enemy": hostile, "friend": not hostile, "infantry": hostile and not drives}.get(
        power.at, hostile and drives
    )


def victims(state: Battle, target: GroupId) -> Iterator[Unit]:
    """Yield the units at which a puppet may be made to fire: its own, and others near it that are not hidden."""
    own = state.units[target]
    if len(own.figures) > 1:
        yield own
    for other in state.standing():
        is_near = other.id != target and not other.hidden and sighting.distance(state, own, other) <= STRINGS
        if is_near and sighting.sees(state, own, other):
            yield other


@implements("AE-OPEN-25")
def caster(state: Battle, unit: Unit, power: Power, aim: Unit | Point) -> Figure:
    """Return the psychic of a unit who can try a power at a unit or a point: the strongest who knows it, is near
    enough, and sees that, if need be. Raises IllegalIntent."""
    at = names.group_node(aim.id) if isinstance(aim, Unit) else aim
    able = [one for one in psychics(state, unit) if power in known(state, unit, one)]
    forbid(not able, "power/unknown")
    near = [one for one in able if not power.range or _gap(state, one, aim) <= power.range]
    forbid(not near, "power/too-far", at)
    seeing = [one for one in near if not power.sight or _sees(state, unit, one, aim)]
    forbid(not seeing, "power/no-sight", at)
    return seeing[0]


def _gap(state: Battle, psychic: Figure, aim: Unit | Point) -> int:
    if not isinstance(aim, Unit):
        return sighting.gap_to_point(state, psychic, aim)
    own = sighting.shape(state, psychic)
    return min(shape_gap(own, sighting.shape(state, one)) for one in state.members(aim))


def _sees(state: Battle, unit: Unit, psychic: Figure, aim: Unit | Point) -> bool:
    if not isinstance(aim, Unit):
        return sighting.sees_point(state, psychic, aim)
    return unit.id == aim.id or any(psychic in one.figures for one, _, _ in sighting.view(state, unit, aim))


@implements("AE-OPEN-07", "AE-OPEN-25")
def difficulty(state: Battle, unit: Unit, power: Power, aim: Unit | Point) -> int:
    """Return the number that a power needs: more for what is aimed near a figure that damps it."""
    others = [figure for other in state.seen(unit.owner) for figure in state.members(other)]
    nulls = [sighting.shape(state, one) for one in others if traits.figure_has(state, one, profiles.NULL)]
    members = state.members(aim) if isinstance(aim, Unit) else []
    aimed = [sighting.shape(state, one) for one in members] if isinstance(aim, Unit) else [Base(NO_FIGURE, aim, 0)]
    damped = any(shape_gap(one, other) <= DAMPED for one in nulls for other in aimed)
    return power.difficulty + (DAMPING if damped else 0)
