"""Schema of the TOML of armies, weapons and points: checked by pydantic, unknown keys refused.

A file holds any of [weapons], [points], [disciplines], or one army: [army], [page], [upgrades], [changes], [sample],
[draft].
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from engine.core.content.content_schema import Entry, Glyph, Id, Key, Place, Words, WrittenAs
from engine.kit.lists.page_schema import PageEntry
from engine.kit.values import Written, rows
from engine.rulesets.one_page.state.profiles import NUMBERED, UNIT_RULES, WEAPON_RULES, Discipline, Kind, SpecialRule
from protocol import near_names

Exact = Annotated[Fraction, WrittenAs(int | Decimal, Fraction)]
"""A number of the points formula, without rounding."""
_SPECIAL: Final = re.compile(r"([A-Za-z][A-Za-z ]*)(?:\((\d{1,2})\))?")
_ARM: Final = re.compile(r"(?:([2-9])x )?([A-Za-z][A-Za-z/ -]*[A-Za-z])(?: \(([A-Za-z, ]+)\))?")


def slug(name: str) -> str:
    """Return the id for a name: "Fists/Claws" is fists_claws."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower())


def special_rule(written: str) -> SpecialRule:
    """Parse a special rule such as "Psyker(2)" or "Deep Strike". Raises ValueError."""
    found = _SPECIAL.fullmatch(written)
    id = slug(found[1]) if found else ""
    if found is None or id not in UNIT_RULES:
        near = near_names.nearest(id, UNIT_RULES)
        known = f"; did you mean {near.replace('_', ' ').title()}?" if near else ""
        raise ValueError(f"{written} is no special rule of a unit{known}")
    if (id in NUMBERED) != bool(found[2]):
        raise ValueError(f"{written} has {'no number' if id in NUMBERED else 'a number'}")
    return SpecialRule(id, int(found[2] or 0))


class Arm(NamedTuple):
    """A weapon as a page names it: how many, which, its rules, and the words."""

    copies: int
    weapon: str
    rules: tuple[str, ...]
    written: str

    @property
    def id(self) -> str:
        """The id of the weapon with these rules."""
        return ".".join((self.weapon, *self.rules))


def arm(written: str) -> Arm:
    """Parse a weapon such as "2x Machinegun". Raises ValueError."""
    found = _ARM.fullmatch(written)
    if found is None:
        raise ValueError(f'{written} should read like "Rifle (Scoper, Rending)" or "2x Machinegun"')
    rules = [slug(rule.strip()) for rule in (found[3] or "").split(",") if rule.strip()]
    for rule in rules:
        if rule not in WEAPON_RULES:
            raise ValueError(f"{written}: {rule} is no special rule of a weapon{near_names.meant(rule, WEAPON_RULES)}")
    if len(set(rules)) < len(rules):
        raise ValueError(f"{written} has a rule twice")
    return Arm(int(found[1] or 1), slug(found[2]), tuple(sorted(rules)), written)


def _one_arm(written: str) -> Arm:
    found = arm(written)
    if found.copies != 1:
        raise ValueError("one weapon changes for one")
    return found


Special = Annotated[SpecialRule, WrittenAs(Annotated[str, Field(max_length=40)], special_rule)]
Armed = Annotated[Arm, WrittenAs(Annotated[str, Field(max_length=80)], arm)]
OneArm = Annotated[Arm, WrittenAs(Annotated[str, Field(max_length=80)], _one_arm)]
UnitId = Annotated[str, Field(pattern=r"^[A-Z]{2}-(0[1-9]|[1-9][0-9])$")]
Models = Annotated[
    int, WrittenAs(Annotated[int, Field(ge=1, le=30)] | Literal["all"], lambda given: 0 if given == "all" else given)
]
"""A number of models, 0 for all."""
Points = Annotated[int, Field(ge=-1000, le=2000, multiple_of=5)]


class WeaponEntry(Entry):
    """A weapon of the weapon table; without `range`, in inches, it is for melee."""

    name: Key
    range: Annotated[int, Field(ge=0, le=96)] = 0
    attacks: Annotated[int, Field(ge=1, le=20)]
    single: bool = False


class ModelPointsEntry(Entry):
    """Points of bodies by Quality, of special rules and of classes."""

    body: dict[Annotated[int, WrittenAs(Literal["2", "3", "4", "5", "6"], int)], Exact]
    special: dict[Id, Exact]
    class_: Annotated[dict[Kind, Exact], Field(alias="class")]


class WeaponPointsEntry(Entry):
    """Points of one attack by range in inches, and the factors of rules; `single` is that of an "x"."""

    range: dict[Annotated[int, WrittenAs(str, int)], Exact]
    single: Exact
    special: dict[Id, Exact]


class PointsEntry(Entry):
    """Numbers of the points formula."""

    model: ModelPointsEntry | None = None
    weapon: WeaponPointsEntry | None = None


class UnitEntry(Entry):
    """A row of the page. `size`: length and width of a model's base in inches, the same where it is round."""

    id: UnitId
    name: Key
    type: Kind
    quality: Annotated[int, Field(ge=2, le=6)]
    models: Annotated[int, Field(ge=1, le=30)]
    tough: Annotated[int, Field(ge=2, le=20)] = 1
    size: Place = (100, 100)
    glyph: Glyph = ""
    special: Annotated[list[Special], Field(max_length=12)] = []
    weapons: Annotated[list[Armed], Field(min_length=1, max_length=8)]
    points: Annotated[Points, Field(ge=5)]
    text: Words = ""


class Upgrade(Written, frozen=True):
    """Change of a weapon of `models` models of a unit (0: all that still have it) for another. `number`: among those of
    the unit, never used again. `points`: by how much the price of one unit changes."""

    unit: UnitId
    number: Annotated[int, Field(ge=1, le=60)]
    models: Models
    old: Annotated[OneArm, Field(alias="from")]
    new: Annotated[OneArm, Field(alias="to")]
    points: Points

    @property
    def id(self) -> str:
        """The id of the unit, and the number of the row, "IM-04.2"."""
        return f"{self.unit}.{self.number}"


class ChangeEntry(Entry):
    """Change of a page at a version: a unit, or with `upgrade` one of its upgrades, has another id now (`became`), is
    no more (`gone`), or differs. `why` is told to owners of older lists that have it."""

    version: Annotated[int, Field(ge=2, le=999)]
    unit: UnitId
    upgrade: Annotated[int, Field(ge=0, le=60)] = 0
    became: Annotated[str, Field(max_length=10)] = ""
    gone: bool = False
    why: Words


class SampleEntry(Entry):
    """A ready list: the number of each unit, and the totals that the page gives for it."""

    unit: Annotated[dict[UnitId, Annotated[int, Field(ge=1, le=60)]], Field(max_length=60)]
    points: Annotated[int, Field(ge=0)]
    heroes: Annotated[int, Field(ge=0)]
    special: Annotated[int, Field(ge=0)]


class DraftEntry(Entry):
    """Weights of randomly drawn lists. `special`: percent of the points that Monsters, Walkers and Vehicles get at
    least, where there is room for them; `unit`: weight of each unit that differs from the usual."""

    special: Annotated[int, Field(ge=0, le=90)] = 20
    unit: Annotated[dict[UnitId, Annotated[int, Field(ge=0, le=9)]], Field(max_length=60)] = {}


class Document(Entry):
    """One content file of armies."""

    weapons: Annotated[list[WeaponEntry], rows(WeaponEntry, 60)] = []
    points: PointsEntry | None = None
    disciplines: Annotated[list[Discipline], rows(Discipline, 20)] = []
    army: PageEntry | None = None
    page: Annotated[list[UnitEntry], rows(UnitEntry, 60, "unit")] = []
    upgrades: Annotated[list[Upgrade], rows(Upgrade, 200)] = []
    changes: Annotated[list[ChangeEntry], rows(ChangeEntry, 200)] = []
    sample: SampleEntry | None = None
    draft: DraftEntry | None = None
