"""Current properties of units and figures: kind, movement, bases, abilities, effects of powers on them."""

from __future__ import annotations

from typing import Final, TypeGuard

from engine.core.rules.implements import implements
from engine.rulesets.apocalypse_earth.state.profiles import COVERS, Cover, Profile, UnitProfile, VehicleProfile
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase, Footprint
from engine.space.terrain.gaps import Shape
from protocol.ids import FigureId

LANDING: Final = 300
"""AE-OPEN-16: what it costs to board a vehicle and to get out."""
RADIUS: Final = 100
"""AE-GEN-01: half the width of a figure's base."""
IRON_FAITH: Final = "iron_faith"
FOG: Final = "fog_of_mind"
SHROUD: Final = "shroud"
FRENZY: Final = "frenzy"
FAR_VOICE: Final = "far_voice"


def is_vehicle(profile: Profile) -> TypeGuard[VehicleProfile]:
    """Tell if a profile is that of a vehicle."""
    return isinstance(profile, VehicleProfile)


def drives(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is a vehicle."""
    return is_vehicle(state.profile(unit))


def infantry(state: Battle, unit: Unit) -> UnitProfile:
    """Return the profile of an infantry unit. TypeError of a vehicle."""
    profile = state.profile(unit)
    if not isinstance(profile, UnitProfile):
        raise TypeError(f"{unit.id} is a vehicle")
    return profile


def figure_has(state: Battle, figure: Figure, ability: str) -> bool:
    """Tell if a figure has an ability."""
    own = state.figure_profile(figure)
    return own is not None and own.has(ability)


def all_have(state: Battle, unit: Unit, ability: str) -> bool:
    """Tell if all figures of an infantry unit have an ability."""
    return not drives(state, unit) and all(figure_has(state, figure, ability) for figure in state.members(unit))


def bearers(state: Battle, unit: Unit, ability: str) -> list[FigureId]:
    """Return the figures of a unit that have an ability."""
    return [figure.id for figure in state.members(unit) if figure_has(state, figure, ability)]


@implements("AE-GEN-01")
def base(state: Battle, figure: Figure) -> Footprint:
    """Return the base of a figure where it stands: a disc, of a vehicle a rectangle."""
    profile = state.resolved.forces[figure.owner].units[figure.entry]
    if isinstance(profile, VehicleProfile):
        return BoxBase(figure.at, figure.facing, profile.length, profile.width, figure.id)
    return Base(figure.id, figure.at, RADIUS)


def shape(state: Battle, figure: Figure) -> Shape:
    """Return the base of a figure or vehicle as a shape."""
    own = base(state, figure)
    return own.outline() if isinstance(own, BoxBase) else own


def bases(state: Battle, unit: Unit) -> tuple[Footprint, ...]:
    """Return the bases of a unit, the leader's first: the same object while its figures do not change."""
    members = state.members(unit)
    return state.resolved.memo.get("bases", tuple(members), lambda: tuple([base(state, figure) for figure in members]))


@implements("AE-MOVE-01", "AE-OPEN-16")
def allowance(state: Battle, unit: Unit) -> int:
    """Return the movement rating of a unit, in hundredths: less in the action in which it has got out of a vehicle."""
    has_landed = state.acts == unit.id and state.active is not None and state.active.landed
    return state.profile(unit).move - (LANDING if has_landed else 0)


def under(unit: Unit, power: str) -> bool:
    """Tell if a unit is under the effect of a power."""
    return any(effect.power == power for effect in unit.effects)


@implements("AE-OPEN-25")
def fog(unit: Unit) -> int:
    """Return what Fog of mind adds to the number that a unit needs to hit."""
    return int(under(unit, FOG))


@implements("AE-OPEN-25", "AE-FIRE-06")
def shrouded(unit: Unit, cover: Cover) -> Cover:
    """Return the cover of a unit's figure: one step better under Shroud, hard at most."""
    return COVERS[min(COVERS.index(cover) + under(unit, SHROUD), len(COVERS) - 1)]
