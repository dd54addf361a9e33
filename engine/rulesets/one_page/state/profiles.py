"""Content of army pages: weapons, units, upgrades and prices, and an army as it comes to the table.

All values are frozen and plain, so that a match can carry them with it. Lengths are hundredths of an inch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from pydantic import Field

from engine.core.content.content_schema import Id, Key
from engine.core.rules.implements import implements
from engine.kit.values import Written

Kind = Literal["infantry", "hero", "psyker", "monster", "walker", "vehicle"]
KINDS: Final = ("hero", "psyker", "infantry", "monster", "walker", "vehicle")
"""All of them, in the order in which they are shown."""
SPECIAL: Final = frozenset({"monster", "walker", "vehicle"})
"""Kinds that count against the limit on Special units; every other unit is Infantry."""

ARMORED: Final = "armored"
DEEP_STRIKE: Final = "deep_strike"
FAST: Final = "fast"
FEAR: Final = "fear"
FEARLESS: Final = "fearless"
FLYING: Final = "flying"
FURIOUS: Final = "furious"
HATRED: Final = "hatred"
PSYKER: Final = "psyker"
RELENTLESS: Final = "relentless"
SCOUT: Final = "scout"
STRIDER: Final = "strider"
STRIKES_FIRST: Final = "strikes_first"
STRIKES_LAST: Final = "strikes_last"
TRANSPORT: Final = "transport"

INDIRECT: Final = "indirect"
LIMITED: Final = "limited"
LINKED: Final = "linked"
PIERCING: Final = "piercing"
POISON: Final = "poison"
RENDING: Final = "rending"
SCOPER: Final = "scoper"

UNIT_RULES: Final = frozenset(
    {ARMORED, DEEP_STRIKE, FAST, FEAR, FEARLESS, FLYING, FURIOUS, HATRED, PSYKER, RELENTLESS, SCOUT, STRIDER}
    | {STRIKES_FIRST, STRIKES_LAST, TRANSPORT}
)
NUMBERED: Final = frozenset({PSYKER, TRANSPORT})
"""Rules that are written with a number: Psyker(2)."""
WEAPON_RULES: Final = frozenset({INDIRECT, LIMITED, LINKED, PIERCING, POISON, RENDING, SCOPER})

ALWAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "monster": (ARMORED, FEAR, RELENTLESS),
    "walker": (ARMORED, RELENTLESS),
    "vehicle": (ARMORED, RELENTLESS),
}
"""Rules that every unit of a kind has."""
FISTS: Final = "fists_claws"
"""Weapon of every model that has no other melee weapon (OP-WPN-01)."""


class SpecialRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A special rule by its id, with its number where it has one: Transport(12)."""

    id: str
    number: int = 0


class WeaponProfile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A weapon with its rules. `id`: that of the weapon and its rules in order, "rifle.rending.scoper". `range` 0: a
    melee weapon. `single`: the "x" beside its attacks (OP-WPN-02). `rules`: ids, in order."""

    id: str
    name: str
    range: int
    attacks: int
    single: bool = False
    rules: tuple[str, ...] = ()

    @property
    def melee(self) -> bool:
        """True for a melee weapon."""
        return not self.range

    @property
    @implements("OP-SHOOT-01")
    def weight(self) -> int:
        """Its attacks, those of an "x" weapon twice: of several weapons the heaviest is the best."""
        return self.attacks * (2 if self.single else 1)

    def has(self, rule: str) -> bool:
        """Tell if the weapon has this special rule."""
        return rule in self.rules


class UnitProfile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit of an army page. `tough` 1: without the rule. `rules`: those of its class too. `weapons`: ids of each
    model's weapons, repeated where it has several of one kind, with fists where nothing else is for melee; look them up
    in `Army.weapons`. `points`: for all `models`. `length`, `width`: of a base, the same where it is round."""

    id: str
    name: str
    kind: Kind
    quality: int
    models: int
    points: int
    tough: int = 1
    rules: tuple[SpecialRule, ...] = ()
    weapons: tuple[str, ...] = ()
    length: int = 100
    width: int = 100
    text: str = ""
    glyph: str = ""

    @property
    @implements("OP-UNIT-01")
    def infantry(self) -> bool:
        """True unless the unit is Special (Monster, Walker, Vehicle): Heroes and Psykers are Infantry."""
        return self.kind not in SPECIAL

    @property
    def box(self) -> tuple[int, int]:
        """Length and width of a base."""
        return self.length, self.width

    @property
    def character(self) -> bool:
        """True for a Hero, or a Psyker by its type: these may join a unit of Infantry."""
        return self.kind in ("hero", "psyker")

    def has(self, rule: str) -> bool:
        """Tell if the unit has this special rule."""
        return any(own.id == rule for own in self.rules)

    def number(self, rule: str) -> int:
        """Return the number of this special rule; 0 where it has none."""
        return next((own.number for own in self.rules if own.id == rule), 0)


class Discipline(Written, frozen=True):
    """A psychic discipline: each Psyker takes one when the army is built. `number`: its number among all disciplines
    and in short codes, never used again."""

    id: Id
    name: Key
    number: Annotated[int, Field(ge=1, le=99)]


class Mustered(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit of an army list, with its upgrades paid. `arms`: ids of weapons, by model; the leader is the first, whose
    weapon changes last. `doubled`: two copies as one big unit (OP-UNIT-02), with the points and models of both."""

    profile: UnitProfile
    points: int
    arms: tuple[tuple[str, ...], ...]
    upgrades: tuple[str, ...] = ()
    discipline: str = ""
    doubled: bool = False


class Force(msgspec.Struct, frozen=True):
    """The army of a seat at the table: its units in the order of the list, and every weapon that they have, by id."""

    army: str
    name: str
    limit: int
    points: int
    units: tuple[Mustered, ...]
    weapons: Mapping[str, WeaponProfile]
