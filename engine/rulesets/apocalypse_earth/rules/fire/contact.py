"""Weapons used in contact, on whatever is touched, and fire at buildings (AE-OPEN-02, AE-BLD-02, -05, -06)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.kit.rules import Game, IllegalIntent, Seat, forbid, implements
from engine.rulesets.apocalypse_earth.rules.fire import arming
from engine.rulesets.apocalypse_earth.rules.harm import blasts, buildings, casualties, hits
from engine.rulesets.apocalypse_earth.rules.table import ground, sighting, traits
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.fire_events import WeaponsFired
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Figure, Unit
from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import PreparedArea, meeting
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import Point, box_around, towards
from protocol.ids import FigureId, GroupId

OUTSIDE: Final = 10
"""Hundredths before a wall at which a charge against it goes off: the wall has been hit already."""


def carried(state: Battle, figure: Figure) -> list[Weapon]:
    """Return the contact weapons that a figure can use up or strike with, blades left out."""
    return [weapon for weapon in state.weapons_of(figure) if weapon.contact and weapon.shots]


def close_weapons(state: Battle, figure: Figure) -> list[Weapon]:
    """Return what a figure can use on what it touches: contact weapons, and grenades that kill."""
    thrown = [one for one in state.weapons_of(figure) if one.has(profiles.THROWN) and not one.has(profiles.SMOKE)]
    return [*carried(state, figure), *thrown]


@implements("AE-ASLT-01", "AE-BLD-07")
def touching(state: Battle, unit: Unit, target: Unit) -> list[FigureId]:
    """Return the figures of a unit that touch another one, or the building that some of it is in."""
    seats = [one.seat for one in sighting.lookouts_of(state, target)]
    own = {figure.id: sighting.shape(state, figure) for figure in state.members(unit)}
    return [id for id, shape in own.items() if any(shape_gap(shape, seat) < TOUCH for seat in seats)]


def houses_at(state: Battle, figure: Figure) -> list[PreparedArea]:
    """Return the buildings that a figure touches from outside."""
    own = Base(figure.id, figure.at, traits.RADIUS)
    near = meeting(box_around(figure.at, traits.RADIUS + TOUCH), ground.buildings(state))
    return [house for house in near if shape_gap(own, house.outline) < TOUCH and not house.holds(figure.at)]


@implements("AE-BLD-06")
def close_targets(state: Battle, figure: Figure, weapon: Weapon) -> list[PreparedArea | Unit]:
    """Return what a figure touches that a weapon can be used on: buildings, and vehicles with what has no range."""
    own, enemies = Base(figure.id, figure.at, traits.RADIUS), state.enemies(figure.owner) if weapon.contact else ()
    hulls = [(enemy, traits.shape(state, state.leader(enemy))) for enemy in enemies if traits.drives(state, enemy)]
    return [*houses_at(state, figure), *[enemy for enemy, hull in hulls if shape_gap(own, hull) < TOUCH]]


@implements("AE-OPEN-02")
def bearers(state: Battle, unit: Unit, target: Unit) -> list[FigureId]:
    """Return the figures in contact with a charged unit that have a contact weapon."""
    return [id for id in touching(state, unit, target) if carried(state, state.figures[id])]


@implements("AE-OPEN-02", "AE-OPEN-16")
async def strike(game: Game[Battle], id: GroupId, target: GroupId, figures: Iterable[FigureId]) -> None:
    """Let chargers use what they have on the unit or vehicle that they charge, one after another."""
    for figure in figures:
        state = game.state
        weapons = close_weapons(state, state.figures[figure]) if figure in state.units[id].figures else []
        if weapons and state.units[target].where == TABLE:
            game.emit(WeaponsFired(id, (figure,), weapons[0].id, weapons[0].has(profiles.ONCE)))
            await use(game, state.figures[figure], weapons[0], state.units[target])


@implements("AE-OPEN-02", "AE-OPEN-05")
async def use(game: Game[Battle], bearer: Figure, weapon: Weapon, target: Unit | str) -> None:
    """Use a contact weapon on a unit, or on a building: a charge that fails is lost without effect; a vest removes its
    bearer, whom no charge of his own touches; a blade cuts the figure or vehicle that it touches."""
    state, seat, unit = game.state, Seat(bearer.owner), game.state.unit_of(bearer.id).id
    house = target if isinstance(target, str) else _house_of(state, bearer, target)
    works = not (weapon.hit and weapon.contact) or hits.roll(game, seat, 1, weapon.hit) > 0
    if not works:
        return
    touched = None if isinstance(target, str) or house else _nearest(state, bearer, target)
    if house:
        buildings.hit(game, house, weapon, 1, seat)
    if weapon.contact and weapon.template is not None:
        vest = not weapon.hit
        at = bearer.at if vest else _edge(state, bearer, touched, house)
        await blasts.land(game, blasts.circle(weapon, at, seat, bearer.id))
        if vest:
            casualties.fall(game, unit, [bearer.id], seat, "boom")
    elif touched is not None:
        await blasts.hit(game, seat, state.unit_of(touched.id).id, weapon, bearer.at, 1, [touched.id])


def _house_of(state: Battle, bearer: Figure, target: Unit) -> str:
    """Return the building of a charged unit that the bearer touches; "" where he touches a figure."""
    held = {house.id for house in houses_at(state, bearer)}
    inside = [ground.house_at(state, figure.at) for figure in state.members(target)]
    return next((str(house.id) for house in inside if house is not None and house.id in held), "")


def _nearest(state: Battle, bearer: Figure, target: Unit) -> Figure:
    own = traits.shape(state, bearer)
    return min(state.members(target), key=lambda one: shape_gap(own, traits.shape(state, one)))


def _edge(state: Battle, bearer: Figure, touched: Figure | None, house: str) -> Point:
    """Return the point on the edge of a bearer's base towards the figure, vehicle or building that it touches."""
    scenery = ground.scenery_of(state)
    shape = scenery.area(house).outline if touched is None else traits.shape(state, touched)
    goal = shape.at if isinstance(shape, Base) else nearest_on_edges(bearer.at, edges_of(shape))
    return towards(bearer.at, goal, traits.RADIUS - (OUTSIDE if house else 0))


def is_close(state: Battle, shot: Shot) -> bool:
    """Tell if a shot is the use of a weapon in contact: of one that has no range, or of a grenade put into a
    building."""
    weapon = state.resolved.weapons.get(shot.weapon)
    return weapon is not None and (weapon.contact or (bool(shot.house) and weapon.has(profiles.THROWN)))


def is_siege(state: Battle, shot: Shot) -> bool:
    """Tell if a shot is one at a building, or is made in contact."""
    return bool(shot.house) or is_close(state, shot)


@implements("AE-BLD-06")
def check_close(state: Battle, figure: Figure, shot: Shot) -> None:
    """Check the use of a weapon in contact. Raises IllegalIntent."""
    weapon = next((one for one in close_weapons(state, figure) if one.id == shot.weapon), None)
    if weapon is None or not arming.has_hands_free(state, figure):
        raise IllegalIntent("fire/no-weapon").showing(at=names.piece_node(figure.id))
    touched = [str(one.id) for one in close_targets(state, figure, weapon)]
    forbid((shot.house or shot.target) not in touched, "fire/no-contact")


@implements("AE-BLD-02")
def check_house(state: Battle, figure: Figure, weapon: Weapon, id: str) -> None:
    """Check fire at a building: in sight, in range, ahead of a jammed turret, by direct fire. Raises IllegalIntent."""
    house, node = next((one for one in ground.buildings(state) if one.id == id), None), names.feature_node(id)
    if house is None or not weapon.penetration.dice or weapon.has(profiles.INDIRECT) or weapon.burns:
        raise IllegalIntent("fire/no-house")
    gap = shape_gap(sighting.shape(state, figure), house.outline)
    forbid(not weapon.least <= gap <= weapon.range, "fire/too-far", node)
    unit, spots = state.unit_of(figure.id), sighting.openings(house.outline)
    forbid(not any(arming.bears(state, unit, weapon, spot.at) for spot in spots), "fire/bears", node)
    forbid(not sighting.sees_house(state, figure, house), "fire/no-sight", node)


@implements("AE-BLD-02", "AE-BLD-06")
async def resolve(
    game: Game[Battle], id: GroupId, weapon: Weapon, shots: Sequence[Shot], crews: Mapping[FigureId, Sequence[FigureId]]
) -> None:
    """Roll fire at buildings with one kind of weapon, which no cover shelters; what is used in contact needs no
    roll to place it, and a grenade goes off among all inside, as if in hard cover. Of the other `shots`, and of those
    whose firer has fallen, nothing comes. `crews`: of all that the unit fires."""
    state, seat, count = game.state, Seat(game.state.units[id].owner), dict[str, int]()
    for shot in shots:
        if shot.figure not in game.state.units[id].figures:
            continue
        if not is_close(state, shot):
            fired = arming.shots_with(state, state.units[id], weapon, crews.get(shot.figure, ()))
            count[shot.house] = count.get(shot.house, 0) + fired
        elif not shot.house or buildings.stands(game.state, shot.house):
            if shot.target and game.state.units[shot.target].where != TABLE:
                continue
            if weapon.contact:
                bearer = game.state.figures[shot.figure]
                await use(game, bearer, weapon, shot.house or game.state.units[shot.target])
            else:
                buildings.sweep(game, shot.house, weapon, seat)
                await buildings.catch(game, shot.house, weapon, seat)
                await blasts.burst(game)
    for house, total in count.items():
        if buildings.stands(game.state, house):
            number = hits.need(state, state.units[id], weapon, "open")
            buildings.hit(game, house, weapon, hits.roll(game, seat, total, number), seat)
