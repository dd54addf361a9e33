"""What a unit is and can do now: by its models, the characters with it, and what powers have done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.core.rules.implements import implements
from engine.core.rules.memo import Memo
from engine.rulesets.one_page.state import profiles as rules
from engine.space.terrain.contact import Base

if TYPE_CHECKING:
    from engine.rulesets.one_page.state.profiles import UnitProfile
    from engine.rulesets.one_page.state.state import Battle, Figure, Unit

BY_ALL: Final = frozenset({rules.DEEP_STRIKE, rules.SCOUT, rules.FLYING, rules.FAST, rules.STRIDER})
"""Rules that a unit has only if all its models have them (OP-UNIT-03)."""
COVERED: Final = "covered"
SMOKED: Final = "smoked"
HASTE: Final = "haste"
TERROR: Final = "terror"
_BASES: Final = Memo(1024)
MACHINES: Final = frozenset({"vehicle", "walker"})
"""Kinds that take damage by the table."""
SOLID: Final = frozenset({"vehicle", "walker", "monster"})
"""Kinds that stop a line of sight (OP-GEN-04)."""
ALWAYS: Final = {
    "monster": frozenset({rules.ARMORED, rules.FEAR, rules.RELENTLESS}),
    "walker": frozenset({rules.ARMORED, rules.RELENTLESS}),
    "vehicle": frozenset({rules.ARMORED, rules.RELENTLESS}),
}


def profile(state: Battle, unit: Unit) -> UnitProfile:
    """The profile of a unit, whoever has joined it."""
    return state.unit_entry(unit).profile


def kind(state: Battle, unit: Unit) -> str:
    """Infantry, hero, psyker, monster, walker or vehicle."""
    return profile(state, unit).kind


@implements("OP-UNIT-01")
def is_infantry(state: Battle, unit: Unit) -> bool:
    """Every unit that is not Special is Infantry."""
    return not profile(state, unit).special


@implements("OP-UNIT-05")
def is_machine(state: Battle, unit: Unit) -> bool:
    """A Vehicle or a Walker: what the damage table is for."""
    return kind(state, unit) in MACHINES


def is_vehicle(state: Battle, unit: Unit) -> bool:
    """Drives, rather than walks."""
    return kind(state, unit) == "vehicle"


def quality(state: Battle, unit: Unit) -> int:
    """What its tests need."""
    return profile(state, unit).quality


@implements("OP-UNIT-04", "OP-UNIT-05", "OP-VEH-01")
def always(kind: str) -> frozenset[str]:
    """The rules that every unit of a class has: Monsters, Walkers, Vehicles."""
    return ALWAYS.get(kind, frozenset())


def model_has(state: Battle, figure: Figure, rule: str) -> bool:
    """Whether a model has a rule by its own profile or class."""
    own = state.entry_of(figure).profile
    return own.has(rule) or rule in always(own.kind)


@implements("OP-UNIT-03", "OP-SR-01")
def has(state: Battle, unit: Unit, rule: str) -> bool:
    """Whether a unit has a rule: by a power, by all its models, or, of rules that half are enough for, by half."""
    if rule in unit.effects:
        return True
    if not unit.joined:
        return profile(state, unit).has(rule) or rule in always(kind(state, unit))
    able = sum(model_has(state, figure, rule) for figure in state.models(unit))
    return able == len(unit.figures) if rule in BY_ALL else 2 * able >= len(unit.figures)


def life(state: Battle, figure: Figure) -> int:
    """How many more wounds a model takes before it falls."""
    return state.entry_of(figure).profile.tough - figure.wounds


def radius(state: Battle, figure: Figure) -> int:
    """Half of the length of its base: every base is a disc to the rules."""
    return state.entry_of(figure).profile.length // 2


def base(state: Battle, figure: Figure) -> Base:
    """The base of a model where it stands."""
    return Base(figure.id, figure.at, radius(state, figure))


def bases(state: Battle, unit: Unit) -> list[Base]:
    """The bases of a unit, the leader's first."""
    return _BASES.kept("bases", (unit, state.figures), lambda: [base(state, figure) for figure in state.models(unit)])
