"""Verbs against buildings: fire at the walls, and what is used in contact (AE-BLD-02, AE-BLD-05, AE-BLD-06)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from engine.kit import distributions
from engine.kit.blanks import Filled, option
from engine.kit.rules import Gesture, IllegalIntent, Label, Verb, implements
from engine.rulesets.apocalypse_earth.rules import aiming, arming, firing, ground, hits, sieges
from engine.rulesets.apocalypse_earth.rules.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Figure, Unit
from engine.space.terrain.features import PreparedArea
from protocol.scene.fields import Option, PickOption, Pieces
from protocol.text import Text, text


@implements("AE-BLD-05")
def best(state: Battle, unit: Unit, house: PreparedArea) -> tuple[Shot, ...]:
    """Return what every figure of a unit fires best at a building, by its chance to get through the walls; crews fire
    nothing."""
    rating, found = ground.terrain(state, house.id).armour, list[Shot]()
    for figure in state.members(unit):
        able = [(arms, _worth(arms, rating)) for arms in arming.weapons_of(state, unit, figure)]
        for weapon, worth in sorted(able, key=lambda one: -one[1]):
            if worth and _is_open(state, figure, weapon, house):
                found.append(Shot(figure.id, weapon.id, house=str(house.id)))
                break
    serving = {id for crew in arming.crews(state, unit, found).values() for id in crew}
    return tuple([shot for shot in found if shot.figure not in serving])


def _worth(weapon: Weapon, rating: int) -> int:
    """Return about how many shots of a weapon get through, in thousandths; 0 for what cannot be fired at walls."""
    if weapon.penetration is None or not weapon.hit or weapon.has(profiles.THROWN) or weapon.has(profiles.INDIRECT):
        return 0
    return int(1000 * weapon.shots * hits.chance(weapon.hit) * _through(weapon, rating))


def _through(weapon: Weapon, rating: int) -> Fraction:
    """Return the chance of a hit to get through."""
    assert weapon.penetration is not None
    constant, dice = weapon.penetration
    return distributions.total(dice).chance(lambda rolled: constant + rolled >= rating)


def _is_open(state: Battle, figure: Figure, weapon: Weapon, house: PreparedArea) -> bool:
    try:
        sieges.check_house(state, figure, weapon, str(house.id))
    except IllegalIntent:
        return False
    return True


def _firers(draft: Choosing) -> list[Unit]:
    return firing.unfired(draft) if ground.buildings(draft.state) else []


def _houses(draft: Choosing, field: Pieces) -> Pieces:
    """Return a field of the buildings that a unit can get through, the nearest first."""
    state, unit = draft.state, unit_of(draft)
    options = [
        Option(names.feature_node(str(house.id)), names.feature(state, str(house.id)))
        for house in ground.buildings(state)
        if best(state, unit, house)
    ]
    if not options:
        raise IllegalIntent("fire/no-house")
    return replace(field, options=tuple(options), default=(options[0].id,))


def _razing(draft: Choosing) -> firing.Fire:
    state, unit, id = draft.state, unit_of(draft), draft.node("house")
    house = next((one for one in ground.buildings(state) if one.id == id), None)
    if house is None:
        raise IllegalIntent("fire/no-house")
    return firing.Fire(unit.id, shots=best(state, unit, house))


def _uses(state: Battle, unit: Unit) -> Iterator[tuple[str, Option, Shot]]:
    """Yield what a unit can use in contact, with its id and words."""
    for figure in state.members(unit):
        for weapon in sieges.close_weapons(state, figure):
            for target in sieges.close_targets(state, figure, weapon):
                id = f"{figure.id}/{weapon.id}/{target.id}"
                if isinstance(target, Unit):
                    what, shot = names.unit(state, target.id), Shot(figure.id, weapon.id, target.id)
                else:
                    house = str(target.id)
                    what, shot = names.feature(state, house), Shot(figure.id, weapon.id, house=house)
                own = names.figure(state, figure.id)
                yield id, Option(id, text("ae.fire.close", figure=own, weapon=Text(weapon.name), target=what)), shot


def _placers(draft: Choosing) -> list[Unit]:
    return [unit for unit in firing.unfired(draft) if any(_uses(draft.state, unit))]


def _use(draft: Choosing, field: PickOption) -> PickOption:
    options = tuple([option for _, option, _ in _uses(draft.state, unit_of(draft))])
    if not options:
        raise IllegalIntent("fire/no-contact")
    return replace(field, options=options, default=options[0].id)


def _placing(draft: Choosing) -> TakeAim:
    found = {id: shot for id, _, shot in _uses(draft.state, unit_of(draft))}
    if draft.word("use") not in found:
        raise IllegalIntent("fire/no-contact")
    return TakeAim(draft.group("unit"), found[draft.word("use")])


RAZE: Final = Verb(
    Label("raze", "w", "Fire at a building", "At its walls, not at the men: what gets through hits those inside."),
    firing.fire,
    pick("unit", _firers),
    Filled[Battle](Pieces("house", Text(""), lazy=True), how=_houses),
    make=_razing,
    gesture=Gesture("unit", "house", "feature", mark="shot"),
)
PLACE: Final = Verb(
    Label("place", "c", "Grenade or charge", "Into a building, or on a vehicle, that the figure touches."),
    aiming.aim,
    pick("unit", _placers),
    option("use", _use),
    make=_placing,
    gesture=Gesture("unit", rank=4, mark="shot"),
)
