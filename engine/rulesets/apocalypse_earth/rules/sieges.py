"""Fire at buildings, and what is used by those who touch one: grenades, charges, cutters (AE-BLD-02, -05, -06)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.rules.errors import IllegalIntent
from engine.kit.rules import Game, Seat, forbid, implements
from engine.rulesets.apocalypse_earth.rules import (
    arming,
    blasts,
    buildings,
    burning,
    casualties,
    contact_weapons,
    ground,
    hits,
    sighting,
)
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Figure, Unit
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.gaps import shape_gap
from protocol.ids import GroupId


def is_close(state: Battle, shot: Shot) -> bool:
    """Tell if a shot is the use of a weapon in contact: of one that has no range, or of a grenade put into a
    building."""
    weapon = state.resolved.weapons.get(shot.weapon)
    return weapon is not None and (weapon.contact or (bool(shot.house) and weapon.has(profiles.THROWN)))


def is_siege(state: Battle, shot: Shot) -> bool:
    """Tell if a shot is one at a building, or is made in contact."""
    return bool(shot.house) or is_close(state, shot)


def close_weapons(state: Battle, figure: Figure) -> list[Weapon]:
    """Return what a figure can use on a building that it touches: contact weapons, and grenades that kill."""
    thrown = [one for one in state.weapons_of(figure) if one.has(profiles.THROWN) and not one.has(profiles.SMOKE)]
    return [*contact_weapons.carried(state, figure), *thrown]


@implements("AE-BLD-06")
def close_targets(state: Battle, figure: Figure, weapon: Weapon) -> list[PreparedArea | Unit]:
    """Return what a figure touches that a weapon can be used on: buildings, and vehicles with what has no range."""
    vehicles = contact_weapons.vehicles_at(state, figure) if weapon.contact else ()
    return [*contact_weapons.houses_at(state, figure), *vehicles]


@implements("AE-BLD-06")
def check_close(state: Battle, unit: Unit, figure: Figure, shot: Shot) -> None:
    """Check the use of a weapon in contact. Raises IllegalIntent."""
    weapon = next((one for one in close_weapons(state, figure) if one.id == shot.weapon), None)
    if weapon is None or figure.shaken:
        raise IllegalIntent("fire/no-weapon").showing(at=names.piece_node(figure.id))
    touched = [str(one.id) for one in close_targets(state, figure, weapon)]
    forbid((shot.house or shot.target) not in touched, "fire/no-contact")


@implements("AE-BLD-02")
def check_house(state: Battle, figure: Figure, weapon: Weapon, id: str) -> None:
    """Check fire at a building: in sight, in range, by direct fire. Raises IllegalIntent."""
    house = next((one for one in ground.buildings(state) if one.id == id), None)
    forbid(house is None or weapon.penetration is None or weapon.has(profiles.INDIRECT), "fire/no-house")
    assert house is not None
    gap = shape_gap(sighting.shape(state, figure), house.outline)
    node = names.feature_node(id)
    forbid(not weapon.least <= gap <= weapon.range, "fire/too-far", node)
    forbid(not sighting.sees_house(state, figure, house), "fire/no-sight", node)


@implements("AE-BLD-02")
async def resolve(game: Game[Battle], id: GroupId, weapon: Weapon, shots: Sequence[Shot]) -> None:
    """Roll fire at buildings with one kind of weapon, which no cover shelters; what is used in contact needs no
    roll to place it."""
    state = game.state
    seat = Seat(state.units[id].owner)
    crews = arming.crews(state, state.units[id], shots)
    count: dict[str, int] = {}
    for shot in shots:
        if is_close(state, shot):
            await _use(game, shot, weapon, seat)
        else:
            served = 1 + len(crews.get(shot.figure, ()))
            count[shot.house] = count.get(shot.house, 0) + arming.rate(weapon, served)
    for house, fired in count.items():
        if buildings.stands(game.state, house):
            buildings.hit(game, house, weapon, hits.roll(game, seat, fired, weapon.hit), seat)


def can_storm(state: Battle, unit: Unit) -> bool:
    """Tell if a unit has anything that harms a vehicle in contact."""
    return any(close_weapons(state, figure) for figure in state.members(unit))


@implements("AE-OPEN-16")
async def storm(game: Game[Battle], id: GroupId, target: GroupId) -> None:
    """Let each figure in contact with a charged vehicle use what it has against it: there is no duel and no combat."""
    before, seat = dict(game.state.units), Seat(game.state.units[id].owner)
    for figure in contact_weapons.touching(game.state, game.state.units[id], game.state.units[target]):
        state = game.state
        weapons = close_weapons(state, figure)
        if weapons and figure.id in state.figures and state.units[target].where == TABLE:
            await _use(game, Shot(figure.id, weapons[0].id, target), weapons[0], seat)
    casualties.settle(game, before)


@implements("AE-BLD-06")
async def _use(game: Game[Battle], shot: Shot, weapon: Weapon, seat: Seat) -> None:
    """Use a weapon in contact: a grenade goes off among all inside, as if in hard cover."""
    bearer = game.state.figures.get(shot.figure)
    if bearer is None or (shot.house and not buildings.stands(game.state, shot.house)):
        return
    if shot.target:
        await contact_weapons.use(game, bearer, weapon, game.state.units[shot.target])
    elif weapon.contact:
        await contact_weapons.use(game, bearer, weapon, shot.house)
    else:
        buildings.sweep(game, shot.house, weapon, seat)
        await burning.catch(game, shot.house, weapon, seat)
        await blasts.burst(game)
