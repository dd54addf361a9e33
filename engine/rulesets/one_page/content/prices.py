"""The points formula: what bodies, rules and weapons are worth, and what a unit or an upgrade costs by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import prod
from typing import Any, Final, NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.one_page.content.army_schema import Document, Number
from engine.rulesets.one_page.state.profiles import (
    ARMORED,
    FEAR,
    PSYKER,
    RELENTLESS,
    SCOPER,
    TRANSPORT,
    Price,
    UnitProfile,
    WeaponProfile,
    nearest_five,
)

Arsenal = Callable[[str], WeaponProfile]
"""The weapon of an id."""

HERO_POINTS: Final = 20
PSYKER_POINTS: Final = 30
SCOPED: Final = 2
"""A Scoper weapon is worth what it is to a model of this Quality."""
LEAST_RISE: Final = 5
INCH: Final = 100


class Worth(NamedTuple):
    """The formula's numbers: bodies by Quality, classes by kind, rules of units and of weapons by id, what one attack
    is worth by range in inches, what "x" multiplies it with."""

    body: Mapping[int, Fraction]
    classes: Mapping[str, Fraction]
    special: Mapping[str, Fraction]
    attack: Mapping[int, Fraction]
    single: Fraction
    weapon_special: Mapping[str, Fraction]


def worth_of(documents: Iterable[Document]) -> Worth:
    """The numbers that these files give; what they lack is worth nothing that could be asked for."""
    found = Worth({}, {}, {}, {}, Fraction(1), {})
    for points in (document.points for document in documents if document.points is not None):
        if points.model is not None:
            body = {int(quality): Fraction(value) for quality, value in points.model.body.items()}
            found = found._replace(body=body, classes=_exact(points.model.class_), special=_exact(points.model.special))
        if points.weapon is not None:
            attack = {int(inches): Fraction(value) for inches, value in points.weapon.range.items()}
            single, special = Fraction(points.weapon.single), _exact(points.weapon.special)
            found = found._replace(attack=attack, single=single, weapon_special=special)
    return found


def _exact(numbers: Mapping[Any, Number]) -> dict[str, Fraction]:
    return {str(key): Fraction(value) for key, value in numbers.items()}


@implements("OP-OPEN-04")
def weapon_value(worth: Worth, weapon: WeaponProfile) -> Fraction:
    """What a weapon is worth with its rules, before the Quality of who fires it. Raises KeyError for a range that has
    no worth."""
    plain = weapon.attacks * worth.attack[weapon.range // INCH]
    rules = prod((worth.weapon_special[rule] for rule in weapon.rules if rule != SCOPER), start=Fraction(1))
    return plain * rules * (worth.single if weapon.single else 1)


def carried_value(worth: Worth, weapon: WeaponProfile, quality: int) -> Fraction:
    """What a weapon is worth to a model of this Quality."""
    aim = SCOPED if weapon.has(SCOPER) else quality
    return weapon_value(worth, weapon) * Fraction(7 - aim, 3)


@implements("OP-OPEN-02")
def unit_price(worth: Worth, unit: UnitProfile, arsenal: Arsenal) -> Price:
    """What the formula makes of a unit."""
    return Price(
        worth.body[unit.quality] * unit.tough * (2 if unit.has(ARMORED) else 1),
        unit.tough * (_rule_points(worth, unit) + worth.classes[unit.kind]),
        Fraction(
            unit.number(TRANSPORT) + PSYKER_POINTS * unit.number(PSYKER) + (HERO_POINTS if unit.kind == "hero" else 0)
        ),
        sum((carried_value(worth, arsenal(id), unit.quality) for id in unit.weapons), start=Fraction(0)),
        unit.models,
    )


@implements("OP-OPEN-03")
def _rule_points(worth: Worth, unit: UnitProfile) -> Fraction:
    """The rules of a unit but those that its class has for nothing."""
    free = {ARMORED, PSYKER, TRANSPORT, *(() if unit.infantry else (RELENTLESS,))}
    free |= {FEAR} if unit.kind == "monster" else set()
    return sum((worth.special[rule.id] for rule in unit.rules if rule.id not in free), start=Fraction(0))


@implements("OP-OPEN-02")
def upgrade_price(worth: Worth, unit: UnitProfile, models: int, old: WeaponProfile, new: WeaponProfile) -> int:
    """By how much the price of a unit changes when so many of its models change a weapon: a rise costs something."""
    rise = models * (carried_value(worth, new, unit.quality) - carried_value(worth, old, unit.quality))
    rounded = nearest_five(rise)
    return LEAST_RISE if rise > 0 and not rounded else rounded
