"""The points formula: values of bodies, rules and weapons, and the prices of units and upgrades by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import prod
from typing import Final, NamedTuple

from engine.core.rules.implements import implements
from engine.rulesets.one_page.content.army_schema import Document, ModelPointsEntry, WeaponPointsEntry
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.profiles import UnitProfile, WeaponProfile

Arsenal = Callable[[str], WeaponProfile]
"""Function from an id to its weapon."""

HERO_POINTS: Final = 20
PSYKER_POINTS: Final = 30
SCOPED: Final = 2
"""Quality of the model to which a Scoper weapon has its value."""
LEAST_RISE: Final = 5
INCH: Final = 100


class Worth(NamedTuple):
    """Numbers of the formula: of models (bodies by Quality, classes by kind, rules) and of weapons (one attack by range
    in inches, rules, and the factor of "x")."""

    model: ModelPointsEntry = ModelPointsEntry.model_construct(body={}, special={}, class_={})
    weapon: WeaponPointsEntry = WeaponPointsEntry.model_construct(range={}, single=Fraction(1), special={})


def worth_of(documents: Iterable[Document]) -> Worth:
    """Return the numbers that these files give; missing ones are absent."""
    found = Worth()
    for points in (document.points for document in documents if document.points is not None):
        found = Worth(points.model or found.model, points.weapon or found.weapon)
    return found


@implements("OP-OPEN-04")
def weapon_value(worth: Worth, weapon: WeaponProfile) -> Fraction:
    """Return the value of a weapon with its rules, before its bearer's Quality. Raises KeyError for a range without a
    value."""
    plain = weapon.attacks * worth.weapon.range[weapon.range // INCH]
    factors = prod((worth.weapon.special[rule] for rule in weapon.rules if rule != rules.SCOPER), start=Fraction(1))
    return plain * factors * (worth.weapon.single if weapon.single else 1)


def carried_value(worth: Worth, weapon: WeaponProfile, quality: int) -> Fraction:
    """Return the value of a weapon to a model of this Quality."""
    aim = SCOPED if weapon.has(rules.SCOPER) else quality
    return weapon_value(worth, weapon) * Fraction(7 - aim, 3)


@implements("OP-OPEN-02")
def unit_price(worth: Worth, unit: UnitProfile, arsenal: Arsenal) -> Fraction:
    """Return the exact price of a unit by the formula, before it is rounded. Raises KeyError for a number that the
    formula lacks."""
    body = worth.model.body[unit.quality] * (2 if unit.has(rules.ARMORED) else 1)
    ruled = _rule_points(worth, unit) + worth.model.class_[unit.kind]
    hero = HERO_POINTS if unit.kind == "hero" else 0
    extras = unit.number(rules.TRANSPORT) + PSYKER_POINTS * unit.number(rules.PSYKER) + hero
    weapons = sum(carried_value(worth, arsenal(id), unit.quality) for id in unit.weapons)
    return unit.models * (unit.tough * (body + ruled) + extras + weapons)


@implements("OP-OPEN-02")
def nearest_five(exact: Fraction) -> int:
    """Round to the nearest 5, 2.5 up; a negative number is rounded by its size."""
    size = int(abs(exact) / 5 + Fraction(1, 2)) * 5
    return size if exact >= 0 else -size


@implements("OP-OPEN-03")
def _rule_points(worth: Worth, unit: UnitProfile) -> Fraction:
    """Return the points of a unit's rules without those that its class has for nothing."""
    free = {rules.ARMORED, rules.PSYKER, rules.TRANSPORT, *(() if unit.infantry else (rules.RELENTLESS,))}
    free |= {rules.FEAR} if unit.kind == "monster" else set()
    return sum((worth.model.special[rule.id] for rule in unit.rules if rule.id not in free), start=Fraction(0))


@implements("OP-OPEN-02")
def upgrade_price(worth: Worth, unit: UnitProfile, models: int, old: WeaponProfile, new: WeaponProfile) -> int:
    """Return by how much a unit's price changes when `models` of its models change a weapon: a rise costs at least
    5."""
    rise = models * (carried_value(worth, new, unit.quality) - carried_value(worth, old, unit.quality))
    rounded = nearest_five(rise)
    return LEAST_RISE if rise > 0 and not rounded else rounded
