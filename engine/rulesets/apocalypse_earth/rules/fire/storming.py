"""Verbs against buildings: fire at the walls, and what is used in contact (AE-BLD-02, AE-BLD-05, AE-BLD-06)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.kit.blanks import Filled, option
from engine.kit.rules import Gesture, Label, Verb, forbid, implements
from engine.rulesets.apocalypse_earth.rules.fire import aiming, arming, contact, firing
from engine.rulesets.apocalypse_earth.rules.fire.aiming import TakeAim
from engine.rulesets.apocalypse_earth.rules.harm import hits
from engine.rulesets.apocalypse_earth.rules.table import ground, traits
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.lasting import Shot
from engine.rulesets.apocalypse_earth.state.profiles import Weapon
from engine.rulesets.apocalypse_earth.state.state import Battle, Unit
from engine.space.terrain.features import PreparedArea
from protocol.scene.fields import Option, PickOption, Pieces
from protocol.text import Text, text


@implements("AE-BLD-05")
def best(state: Battle, unit: Unit, house: PreparedArea) -> tuple[Shot, ...]:
    """Return what every figure of a unit fires best at a building, by its chance to get through the walls, of a vehicle
    all that may; crews fire nothing."""
    rating, found = ground.terrain(state, house.id).armour, list[Shot]()
    most = None if traits.drives(state, unit) else 1
    for figure in state.members(unit):
        able = [(arms, _worth(arms, rating)) for arms in arming.weapons_of(state, unit, figure)]
        likely = [weapon for weapon, worth in sorted(able, key=lambda one: -one[1]) if worth]
        check = partial(contact.check_house, state, figure, id=str(house.id))
        legal = (weapon for weapon in likely if is_legal(partial(check, weapon)))
        found += [Shot(figure.id, weapon.id, house=str(house.id)) for weapon in islice(legal, most)]
    serving = {id for crew in arming.crews(state, unit, found).values() for id in crew}
    return tuple([shot for shot in found if shot.figure not in serving])


def _worth(weapon: Weapon, rating: int) -> int:
    """Return about how many shots of a weapon get through, in thousandths; 0 for what cannot be fired at walls."""
    if not weapon.hit or weapon.has(profiles.THROWN) or weapon.has(profiles.INDIRECT):
        return 0
    return int(1000 * weapon.shots * hits.chance(weapon.hit) * weapon.penetration.chance(rating))


def _razers(draft: Choosing) -> list[Unit]:
    """Return the units that might fire at a building: what those that do not act yet get through is not looked into."""
    state = draft.state
    houses, units = ground.buildings(state), firing.unfired(draft)
    if state.active is None:
        return units if houses else []
    return [unit for unit in units if any(best(state, unit, house) for house in houses)]


def _houses(draft: Choosing, field: Pieces) -> Pieces:
    """Return a field of the buildings that a unit can get through, the nearest first."""
    state, unit = draft.state, unit_of(draft)
    able = [str(house.id) for house in ground.buildings(state) if best(state, unit, house)]
    options = tuple([Option(names.feature_node(id), names.feature(state, id)) for id in able])
    forbid(not options, "fire/no-house")
    return replace(field, options=options, default=(options[0].id,))


def _razing(draft: Choosing) -> firing.Fire:
    state, unit, id = draft.state, unit_of(draft), draft.node("house")
    shots = [best(state, unit, house) for house in ground.buildings(state) if house.id == id]
    forbid(not shots, "fire/no-house")
    return firing.Fire(unit.id, shots=shots[0])


def _uses(state: Battle, unit: Unit) -> Iterator[tuple[Option, Shot]]:
    """Yield what a unit can use in contact, with its words."""
    for figure in state.members(unit):
        for weapon in contact.close_weapons(state, figure) if arming.has_hands_free(state, figure) else ():
            for target in contact.close_targets(state, figure, weapon):
                if isinstance(target, Unit):
                    what, shot = names.unit(state, target.id), Shot(figure.id, weapon.id, target.id)
                else:
                    what, shot = names.feature(state, str(target.id)), Shot(figure.id, weapon.id, house=str(target.id))
                own, arms = names.figure(state, figure.id), Text(weapon.name)
                words = text("ae.fire.close", figure=own, weapon=arms, target=what)
                yield Option(f"{figure.id}/{weapon.id}/{target.id}", words), shot


def _use(draft: Choosing, field: PickOption) -> PickOption:
    options = tuple([option for option, _ in _uses(draft.state, unit_of(draft))])
    forbid(not options, "fire/no-contact")
    return replace(field, options=options, default=options[0].id)


def _placing(draft: Choosing) -> TakeAim:
    shots = [shot for option, shot in _uses(draft.state, unit_of(draft)) if option.id == draft.word("use")]
    forbid(not shots, "fire/no-contact")
    return TakeAim(draft.group("unit"), shots[0])


RAZE: Final = Verb(
    Label("raze", "w", "Fire at a building", "At its walls, not at the men: what gets through hits those inside."),
    firing.fire,
    pick("unit", _razers),
    Filled[Battle](Pieces("house", Text(""), lazy=True), how=_houses),
    make=_razing,
    gesture=Gesture("unit", "house", "feature", mark="shot"),
)
PLACE: Final = Verb(
    Label("place", "c", "Grenade or charge", "Into a building, or on a vehicle, that the figure touches."),
    aiming.aim,
    pick("unit", firing.unfired, only=lambda draft, unit: any(_uses(draft.state, unit))),
    option("use", _use),
    make=_placing,
    gesture=Gesture("unit", rank=4, mark="shot"),
)
