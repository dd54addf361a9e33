"""Profiles of the book: weapons, figures and units, vehicles and their damage, support cards, powers, factions.

All values are frozen and plain, so that a match carries them with it. Lengths are hundredths of a centimetre.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from pydantic import Field

from engine.core.content.content_schema import Glyph, Id, Inches, Key, Place, WrittenAs
from engine.core.rules.implements import implements
from engine.kit import distributions
from engine.kit.values import KEYED, Written

Length = Inches
"""A length or place of this book is written in centimetres and read as hundredths of one."""
Cover = Literal["open", "soft", "hard"]
COVERS: Final[tuple[Cover, ...]] = ("open", "soft", "hard")
Experience = Literal["green", "experienced", "veteran"]
Quarter = Literal["front", "side", "rear", "top"]
QUARTERS: Final[tuple[Quarter, ...]] = ("front", "side", "rear", "top")

SUPPORT: Final = "support"
PICK: Final = "pick"
HIGH: Final = "high"
TOP: Final = "top"
FIRE: Final = "fire"
LINE: Final = "line"
THROWN: Final = "thrown"
INDIRECT: Final = "indirect"
SMOKE: Final = "smoke"
ONCE: Final = "once"
Trait = Literal["support", "pick", "high", "top", "fire", "line", "thrown", "indirect", "smoke", "once"]

OFFICER: Final = "officer"
SECOND: Final = "second"
RADIO: Final = "radio"
MEDIC: Final = "medic"
MECHANIC: Final = "mechanic"
LEADER: Final = "leader"
FIELDCRAFT: Final = "fieldcraft"
CAMOUFLAGE: Final = "camouflage"
INFILTRATE: Final = "infiltrate"
LOOSE: Final = "loose"
GUERRILLA: Final = "guerrilla"
FANATIC: Final = "fanatic"
NULL: Final = "null"
ASSASSIN: Final = "assassin"

TARGETING: Final = "targeting"
AMPHIBIOUS: Final = "amphibious"
HEAVY: Final = "heavy"
HOVER: Final = "hover"
BOMB: Final = "bomb"
COMMAND: Final = "command"


class Penetration(NamedTuple):
    """Roll of a hit against armour: a constant and so many D6, none of what gets through no armour."""

    constant: int
    dice: int

    @implements("AE-OPEN-02")
    def chance(self, rating: int) -> Fraction:
        """Return the chance that it reaches an armour rating."""
        return distributions.total(self.dice).chance(lambda rolled: self.constant + rolled >= rating)


HARMLESS: Final = Penetration(0, 0)
_PENETRATION: Final = re.compile(r"(\d{1,2}) \+ ([1-4]?)D6")


def penetration(written: str) -> Penetration:
    """Parse "5 + 2D6". Raises ValueError."""
    found = _PENETRATION.fullmatch(written)
    if found is None:
        raise ValueError(f'{written} should read like "3 + D6" or "5 + 2D6"')
    return Penetration(int(found[1]), int(found[2] or 1))


Pierces = Annotated[Penetration, WrittenAs(Annotated[str, Field(max_length=12)], penetration)]
"""A penetration as it is written."""
KillNumber = Annotated[int, Field(ge=2, le=6)]


class Kills(NamedTuple):
    """The least die that kills a figure under a template, by its cover."""

    open: int
    soft: int
    hard: int

    def of(self, cover: Cover) -> int:
        """Return the kill number in this cover."""
        return self[COVERS.index(cover)]


def _kills(written: list[int]) -> Kills:
    if sorted(written) != written:
        raise ValueError("more cover cannot make it easier to kill")
    return Kills(*written)


class Template(Written, frozen=True, omit_defaults=True):
    """A circle of a radius, or a strip of a length and a width. `kills` None: it harms nobody (smoke)."""

    circle: Length = 0
    strip: Place = (0, 0)
    kills: Annotated[
        Kills | None, WrittenAs(Annotated[list[KillNumber], Field(min_length=3, max_length=3)], _kills)
    ] = None

    @property
    def is_strip(self) -> bool:
        """True for a strip."""
        return self.strip != (0, 0)


class Weapon(Written, frozen=True, omit_defaults=True):
    """A row of the armoury (AE-OPEN-03 to -05). `shots`: its R.O.F., 0 for what does not fire; `hit`: the number to hit
    in the open, 0 where no roll is made; `least`, `range`: a range of 0 is contact; `crew`: figures that it needs, 0
    without the trait; `ccr`: what it adds in each duel."""

    id: Annotated[str, KEYED]
    name: Key
    price: Annotated[int, Field(ge=0, le=60)]
    shots: Annotated[int, Field(ge=0, le=20)] = 0
    penetration: Pierces = HARMLESS
    least: Length = 0
    range: Length = 0
    hit: Annotated[int, Field(ge=0, le=6)] = 6
    template: Template | None = None
    traits: Annotated[tuple[Trait, ...], Field(max_length=6)] = ()
    crew: Annotated[int, Field(ge=0, le=4)] = 0
    ccr: Annotated[int, Field(ge=0, le=3)] = 0
    glyph: Glyph = ""

    def has(self, trait: str) -> bool:
        """Tell if the weapon has this trait."""
        return trait in self.traits

    @property
    def lobbed(self) -> bool:
        """True for what is aimed at a point: grenades, mortars."""
        return self.has(THROWN) or self.has(INDIRECT)

    @property
    def burns(self) -> bool:
        """True for what burns along a strip."""
        return self.template is not None and self.template.strip != (0, 0)

    @property
    def spreads(self) -> bool:
        """True for what is aimed at the ground, never at a figure: it is lobbed, or burns."""
        return self.lobbed or self.burns

    @property
    def contact(self) -> bool:
        """True for what is used in contact only: charges, vests, cutters, blades."""
        return not self.range


class Ability(Written, frozen=True, omit_defaults=True):
    """An ability of figures (AE-OPEN-07), with its price for each of them. `psi`: the psychic rating that it gives."""

    id: Annotated[str, KEYED]
    name: Key
    text: Key
    price: Annotated[int, Field(ge=0, le=60)]
    psi: Annotated[int, Field(ge=0, le=3)] = 0


Role = Literal["squad", "fireteam", "specialists", "platoon", "company", "cell"]
"""The part of a unit in a force (AE-OPEN-29): specialists are weapons, rocket and sniper units and those with a Psi or
Null ability; platoon, company and cell (the Brotherhood's) are headquarters."""
HEADQUARTERS: Final = frozenset({"platoon", "company", "cell"})


class FigureProfile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure of a unit: its name, ids of its weapons and of its abilities, those of the whole unit among them, and
    its own price. `psi`: its psychic rating."""

    name: str
    weapons: tuple[str, ...]
    abilities: tuple[str, ...] = ()
    psi: int = 0
    points: int = 0

    def has(self, ability: str) -> bool:
        """Tell if the figure has this ability."""
        return ability in self.abilities


class UnitProfile(msgspec.Struct, frozen=True, omit_defaults=True, tag="unit"):
    """An infantry unit of an army list, its options paid; the first of its `figures` leads. `teams`: how it may be
    split at set-up, by places of figures, the first of each its leader."""

    id: str
    name: str
    role: Role
    experience: Experience
    ccr: int
    move: int
    armour: int
    points: int
    figures: tuple[FigureProfile, ...]
    teams: tuple[tuple[int, ...], ...] = ()

    @property
    def headquarters(self) -> bool:
        """True for the headquarters of a platoon or company, and for a command cell."""
        return self.role in HEADQUARTERS

    def has(self, ability: str) -> bool:
        """Tell if any of its figures has this ability."""
        return any(figure.has(ability) for figure in self.figures)

    def team(self, number: int) -> UnitProfile:
        """Return one of the fireteams into which the unit may be split."""
        figures = tuple([self.figures[place] for place in self.teams[number]])
        points = sum(figure.points for figure in figures)
        return msgspec.structs.replace(self, role="fireteam", points=points, figures=figures, teams=())


VehicleKind = Literal["wheeled", "tracked", "skimmer", "walker"]


class Armour(NamedTuple):
    """The armour ratings of a vehicle by the quarter that is hit."""

    front: int
    side: int
    rear: int
    top: int

    def of(self, quarter: Quarter) -> int:
        """Return the rating of this quarter."""
        return self[QUARTERS.index(quarter)]


class VehicleProfile(msgspec.Struct, frozen=True, omit_defaults=True, tag="vehicle"):
    """A vehicle of an army list, its options paid. The first of its `weapons` is the main one; `length`, `width`: of
    its base."""

    id: str
    name: str
    kind: VehicleKind
    armour: Armour
    move: int
    crew: int
    places: int
    experience: Experience
    points: int
    length: int
    width: int
    weapons: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    psi: int = 0
    glyph: str = ""

    def has(self, trait: str) -> bool:
        """Tell if the vehicle has this trait."""
        return trait in self.traits


Profile = UnitProfile | VehicleProfile


class VehicleTrait(Written, frozen=True, omit_defaults=True):
    """A trait of vehicles (AE-OPEN-18), with its price. `psi`: rating of the psychic aboard."""

    id: Annotated[str, KEYED]
    name: Key
    text: Key
    price: Annotated[int, Field(ge=0, le=60)]
    psi: Annotated[int, Field(ge=0, le=3)] = 0
    template: Template | None = None
    penetration: Pierces = HARMLESS


class DamageCode(Written, frozen=True, omit_defaults=True):
    """An entry of the damage tables (AE-OPEN-19). `repairable`: a mechanic may try it; `again`: what a second one
    is."""

    id: Annotated[str, KEYED]
    name: Key
    text: Key
    repairable: bool = False
    again: Annotated[str, Field(max_length=40)] = ""
    template: Template | None = None


DamageRow = Annotated[tuple[Id, ...], Field(min_length=11, max_length=11)]
"""The damage codes of the totals 2 to 12 of 2D6."""


class VehicleClass(Written, frozen=True, omit_defaults=True):
    """A class of vehicles (AE-OPEN-16, -20 to -23). `size`: length and width of the base; `difficult`: cost of
    difficult ground in percent, `heavy` that of one with the trait Heavy; `bars`, `crosses`: kinds of terrain that it
    may not enter, and those that others may not; `flattens`: the cost of a wall that it drives down, 0 where it does
    not; `road`: what it may move more on road alone; the damage tables by quarter."""

    id: Annotated[str, KEYED]
    name: Key
    size: Place
    front: DamageRow
    side: DamageRow
    rear: DamageRow
    top: DamageRow
    difficult: Annotated[int, Field(ge=100, le=400)] = 100
    heavy: Annotated[int, Field(ge=100, le=400)] = 150
    bars: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    crosses: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    flattens: Length = 0
    road: Length = 0

    def damage(self, quarter: Quarter, rolled: int) -> str:
        """Return the damage code of a total of 2D6."""
        table: tuple[str, ...] = getattr(self, quarter)
        return table[rolled - 2]


class SupportCard(Written, frozen=True, omit_defaults=True):
    """Fire support (AE-OPEN-24). `templates`: how many fall; `spread`: D6 of the distance of the second and later ones
    from the first (`around`: of each from the point); `scatter`: percent of the scatter rolled; `orbit`: the status of
    the air does not matter."""

    id: Annotated[str, Field(pattern=r"^FS-[1-9][0-9]?$")]
    name: Key
    text: Key
    kind: Literal["air", "artillery"]
    price: Annotated[int, Field(ge=1, le=200)]
    template: Template
    penetration: Pierces = HARMLESS
    traits: Annotated[tuple[Trait, ...], Field(max_length=4)] = ()
    templates: Annotated[int, Field(ge=1, le=6)] = 1
    spread: Annotated[int, Field(ge=0, le=2)] = 0
    around: bool = False
    scatter: Annotated[int, Field(ge=0, le=400)] = 100
    orbit: bool = False

    def has(self, trait: str) -> bool:
        """Tell if its templates have this trait."""
        return trait in self.traits


class Power(Written, frozen=True, omit_defaults=True):
    """A psychic power (AE-OPEN-25); its id names its effect. `range` 0: the whole table; `at`: what it is used on;
    `option`: that of the table without which nobody knows it, "" for none."""

    id: Annotated[str, KEYED]
    number: Annotated[int, Field(ge=1, le=12)]
    name: Key
    text: Key
    difficulty: Annotated[int, Field(ge=2, le=9)]
    at: Literal["enemy", "friend", "infantry", "vehicle", "point", "net"]
    range: Length = 0
    sight: bool = True
    template: Template | None = None
    penetration: Pierces = HARMLESS
    traits: Annotated[tuple[Trait, ...], Field(max_length=4)] = ()
    option: Annotated[str, Field(max_length=40)] = ""


class Faction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A faction (AE-OPEN-08) with its army list. `code`: the letters before the ids of its units; `version`: of its
    list; `support`: ids of the cards that it may buy; `lines`: paragraphs on its background and on how it plays;
    `glyph`: its emblem; `strong`, `weak`: what it is good and bad at."""

    id: str
    code: str
    name: str
    version: int
    initiative: int
    air: int
    units: Mapping[str, UnitProfile]
    vehicles: Mapping[str, VehicleProfile]
    support: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    glyph: str = ""
    strong: str = ""
    weak: str = ""

    def profile(self, id: str) -> Profile | None:
        """Return the unit or vehicle of this id."""
        return self.units.get(id) or self.vehicles.get(id)


class Force(msgspec.Struct, frozen=True, omit_defaults=True):
    """The force of a seat: its units and vehicles in the order of its list, and its support cards by id."""

    faction: str
    name: str
    points: int
    units: tuple[Profile, ...]
    cards: tuple[str, ...] = ()
    initiative: int = 0
    air: int = 0
