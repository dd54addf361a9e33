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
SOLID: Final = frozenset({"vehicle", "walker", "monster"})
"""Kinds that stop a line of sight (OP-GEN-04)."""


def profile(state: Battle, unit: Unit) -> UnitProfile:
    """Return the profile of a unit, without characters that have joined it."""
    return state.unit_entry(unit).profile


def kind(state: Battle, unit: Unit) -> str:
    """Return the unit's kind: infantry, hero, psyker, monster, walker or vehicle."""
    return profile(state, unit).kind


@implements("OP-UNIT-01")
def is_infantry(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is Infantry: every unit that is not Special."""
    return not profile(state, unit).special


@implements("OP-UNIT-05")
def is_machine(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is a Vehicle or a Walker, which take damage by the damage table."""
    return kind(state, unit) in MACHINES


def is_vehicle(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is a Vehicle."""
    return kind(state, unit) == "vehicle"


def quality(state: Battle, unit: Unit) -> int:
    """Return the least face with which the unit's Quality tests succeed."""
    return profile(state, unit).quality


@implements("OP-UNIT-04", "OP-UNIT-05", "OP-VEH-01")
def always(kind: str) -> tuple[str, ...]:
    """Return the rules that every unit of a class has: Monsters, Walkers, Vehicles."""
    return rules.ALWAYS.get(kind, ())


def model_has(state: Battle, figure: Figure, rule: str) -> bool:
    """Tell if a model has a rule by its own profile or class."""
    own = state.entry_of(figure).profile
    return own.has(rule) or rule in always(own.kind)


@implements("OP-UNIT-03", "OP-SR-01")
def has(state: Battle, unit: Unit, rule: str) -> bool:
    """Tell if a unit has a rule: by a power, by all its models, or, for rules that half are enough for, by half."""
    if rule in unit.effects:
        return True
    if not unit.joined:
        return profile(state, unit).has(rule) or rule in always(kind(state, unit))
    able = sum(model_has(state, figure, rule) for figure in state.models(unit))
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
    models = state.models(unit)
    return state.resolved.memo.get("bases", tuple(models), lambda: [base(state, figure) for figure in models])
