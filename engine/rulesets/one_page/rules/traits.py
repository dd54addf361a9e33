"""Current properties of a unit: by its models, the characters with it, and the powers on it."""

from __future__ import annotations

from typing import Final

from engine.core.rules.implements import implements
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.profiles import UnitProfile
from engine.rulesets.one_page.state.state import Battle, Figure, Unit
from engine.space.terrain.contact import Base

BY_ALL: Final = frozenset({rules.DEEP_STRIKE, rules.SCOUT, rules.FLYING, rules.FAST, rules.STRIDER})
"""Rules that a unit has only if all its models have them (OP-UNIT-03)."""
COVERED: Final = "covered"
SMOKED: Final = "smoked"
HASTE: Final = "haste"
TERROR: Final = "terror"
MACHINES: Final = frozenset({"vehicle", "walker"})
"""Kinds that take damage by the table."""


def profile(state: Battle, unit: Unit) -> UnitProfile:
    """Return the profile of a unit, without characters that have joined it."""
    return state.entry_of(unit).profile


@implements("OP-UNIT-05")
def is_machine(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is a Vehicle or a Walker, which take damage by the damage table."""
    return profile(state, unit).kind in MACHINES


def is_vehicle(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is a Vehicle."""
    return profile(state, unit).kind == "vehicle"


def quality(state: Battle, unit: Unit) -> int:
    """Return the least face with which the unit's Quality tests succeed."""
    return profile(state, unit).quality


def model_has(state: Battle, figure: Figure, rule: str) -> bool:
    """Tell if a model has a rule by its own profile."""
    return state.entry_of(figure).profile.has(rule)


@implements("OP-UNIT-03", "OP-SR-01")
def has(state: Battle, unit: Unit, rule: str) -> bool:
    """Tell if a unit has a rule: by a power, by all its models, or, for rules that half are enough for, by half."""
    if rule in unit.effects:
        return True
    if not unit.joined:
        return profile(state, unit).has(rule)
    able = sum(model_has(state, figure, rule) for figure in state.members(unit))
    return able == len(unit.figures) if rule in BY_ALL else 2 * able >= len(unit.figures)


def life(state: Battle, figure: Figure) -> int:
    """Return how many more wounds a model takes before it falls."""
    return state.entry_of(figure).profile.tough - figure.wounds


def radius(state: Battle, figure: Figure) -> int:
    """Return half of the length of a model's base: every base is a disc to the rules."""
    return state.entry_of(figure).profile.length // 2


def base(state: Battle, figure: Figure) -> Base:
    """Return the base of a model at its place."""
    return Base(figure.id, figure.at, radius(state, figure))


def bases(state: Battle, unit: Unit) -> list[Base]:
    """Return the bases of a unit, the leader's first."""
    models = state.members(unit)
    return state.resolved.memo.get("bases", tuple(models), lambda: [base(state, figure) for figure in models])
