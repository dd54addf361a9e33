"""Contact weapons: demolition charges, explosive vests, cutters (AE-OPEN-02, AE-ASLT-04)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules import blasts, buildings, casualties, damage, ground, hits, sighting, traits
from engine.rulesets.apocalypse_earth.state import profiles
from engine.rulesets.apocalypse_earth.state.fire_events import WeaponsFired
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle, Figure, Unit
from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import PreparedArea
from engine.space.terrain.footprints import are_touching
from engine.space.terrain.gaps import shape_gap
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import nearest_on_edges
from engine.space.vectors.points import Point, towards
from protocol.ids import FigureId, GroupId

OUTSIDE: Final = 10
"""Hundredths before a wall at which a charge against it goes off: the wall has been hit already."""


def carried(state: Battle, figure: Figure) -> list[Weapon]:
    """Return the contact weapons that a figure can use up or strike with, blades left out."""
    return [weapon for weapon in state.weapons_of(figure) if weapon.contact and weapon.shots]


@implements("AE-BLD-07")
def is_in_contact(state: Battle, figure: Figure, target: Unit) -> bool:
    """Tell if a figure touches another unit, or the building that some of it is in."""
    own = sighting.shape(state, figure)
    return any(shape_gap(own, one.seat) < TOUCH for one in sighting.lookouts_of(state, target))


@implements("AE-ASLT-01")
def touching(state: Battle, unit: Unit, target: Unit) -> list[Figure]:
    """Return the figures of a unit that are in contact with another one."""
    return [figure for figure in state.members(unit) if is_in_contact(state, figure, target)]


def houses_at(state: Battle, figure: Figure) -> list[PreparedArea]:
    """Return the buildings that a figure touches from outside."""
    own = Base(figure.id, figure.at, traits.RADIUS)
    return [
        house
        for house in ground.buildings(state)
        if not house.holds(figure.at) and shape_gap(own, house.outline) < TOUCH
    ]


def vehicles_at(state: Battle, figure: Figure) -> Iterator[Unit]:
    """Yield the enemy vehicles that a figure touches."""
    own = Base(figure.id, figure.at, traits.RADIUS)
    for enemy in state.enemies(figure.owner):
        if traits.drives(state, enemy) and are_touching(own, traits.base(state, state.leader(enemy))):
            yield enemy


@implements("AE-OPEN-02")
def bearers(state: Battle, unit: Unit, target: Unit) -> list[FigureId]:
    """Return the figures in contact with a charged unit that have a contact weapon."""
    return [figure.id for figure in touching(state, unit, target) if carried(state, figure)]


@implements("AE-OPEN-02")
async def blow(game: Game[Battle], id: GroupId, target: GroupId, figures: Iterable[FigureId]) -> None:
    """Let chargers use their contact weapons on the unit that they charge, one after another."""
    for figure in [one for one in game.state.units[id].figures if one in set(figures)]:
        state = game.state
        if figure in state.figures and state.units[target].where == TABLE:
            weapon = carried(state, state.figures[figure])[0]
            await use(game, state.figures[figure], weapon, state.units[target])


@implements("AE-OPEN-02")
async def use(game: Game[Battle], bearer: Figure, weapon: Weapon, target: Unit | str) -> None:
    """Use a contact weapon on a unit, or on a building: a charge that fails is lost without effect; a vest removes its
    bearer, whom no charge of his own touches."""
    state, seat = game.state, Seat(bearer.owner)
    unit = state.unit_of(bearer.id).id
    house = target if isinstance(target, str) else _house_of(state, bearer, target)
    works = not (weapon.hit and weapon.contact) or hits.roll(game, seat, 1, weapon.hit) > 0
    game.emit(WeaponsFired(unit, (bearer.id,), weapon.id, weapon.has(profiles.ONCE)))
    if works and house:
        buildings.hit(game, house, weapon, 1, seat)
    if works and weapon.contact and weapon.template is not None:
        vest = not weapon.hit
        at = bearer.at if vest else _contact(state, bearer, target, house)
        await blasts.land(game, blasts.circle(weapon, at, seat, bearer.id))
        if vest:
            casualties.fall(game, unit, [bearer.id], seat, "blast")
    elif works and not isinstance(target, str) and not house:
        await _cut(game, bearer, weapon, target, seat)


def _house_of(state: Battle, bearer: Figure, target: Unit) -> str:
    """Return the building of a charged unit that the bearer touches; "" where he touches a figure."""
    held = {house.id for house in houses_at(state, bearer)}
    inside = [ground.house_at(state, figure.at) for figure in state.members(target)]
    return next((str(house.id) for house in inside if house is not None and house.id in held), "")


def _foe(state: Battle, bearer: Figure, target: Unit) -> Figure:
    """Return the figure of a unit nearest to the bearer."""
    own = traits.shape(state, bearer)
    return min(state.members(target), key=lambda one: shape_gap(own, traits.shape(state, one)))


def _contact(state: Battle, bearer: Figure, target: Unit | str, house: str) -> Point:
    """Return the point of contact: on the edge of the bearer's base, towards what it touches."""
    if isinstance(target, str) or house:
        goal = nearest_on_edges(bearer.at, ground.scenery_of(state).area(house).edges)
        return towards(bearer.at, goal, traits.RADIUS - OUTSIDE)
    own = traits.base(state, _foe(state, bearer, target))
    goal = own.at if isinstance(own, Base) else nearest_on_edges(bearer.at, edges_of(own.outline()))
    return towards(bearer.at, goal, traits.RADIUS)


@implements("AE-OPEN-02", "AE-OPEN-05")
async def _cut(game: Game[Battle], bearer: Figure, weapon: Weapon, target: Unit, seat: Seat) -> None:
    """Cut into the vehicle that the bearer touches, or down the figure, if the blade gets through its armour."""
    if traits.drives(game.state, target):
        await damage.strike(game, target.id, weapon, bearer.at, 1, seat)
        await blasts.burst(game)
        return
    foe = _foe(game.state, bearer, target)
    armour = traits.infantry(game.state, target).armour
    if not armour or hits.pierced(game, seat, weapon) >= armour:
        casualties.fall(game, target.id, [foe.id], seat)
