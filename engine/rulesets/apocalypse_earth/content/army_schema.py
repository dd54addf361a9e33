"""Schema of the TOML of arms, men, vehicles and army lists: checked by pydantic, unknown keys refused.

Files hold weapons, abilities, classes, traits and damage codes of vehicles, fire support, powers, prices and options,
or one army list: [faction], [cards], [page], [motor_pool], [ready]. Lengths are centimetres.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from engine.core.content.content_schema import Entry, Glyph, Id, Inches, Key, Place, WrittenAs
from engine.kit.lists.page_schema import PageEntry
from engine.kit.values import Keyed, Written, rows
from engine.rulesets.apocalypse_earth.state.profiles import (
    Ability,
    Armour,
    DamageCode,
    Experience,
    Power,
    Role,
    SupportCard,
    VehicleClass,
    VehicleKind,
    VehicleTrait,
    Weapon,
)

_RANK: Final = re.compile(r"([1-9][0-9]?) ([A-Za-z][A-Za-z ]*[a-z]) \(([A-Z][A-Za-z0-9, ]*)\)")
_SEVERAL: Final = re.compile(r"(?:([1-9][0-9]?) x )?([A-Z]{2}-[A-Z0-9]{1,3})")
UnitId = Annotated[str, Field(pattern=r"^[A-Z]{2}-(0[1-9]|[1-9][0-9]|V[1-9])$")]
MOST_ROWS: Final = 60
FULL: Final = 100
"""Percent of their sums that units and vehicles cost where nothing else is said."""


class Rank(NamedTuple):
    """Some figures of a unit that are alike: how many, their name, ids of their weapons and abilities together."""

    times: int
    name: str
    gear: tuple[str, ...]


def rank(written: str) -> Rank:
    """Parse "6 rifleman (AR, FR)". Raises ValueError."""
    found = _RANK.fullmatch(written)
    if found is None:
        raise ValueError(f'{written} should read like "6 rifleman (AR, FR)"')
    gear = tuple([word.strip().lower().replace(" ", "_") for word in found[3].split(",") if word.strip()])
    return Rank(int(found[1]), found[2], gear)


class Several(NamedTuple):
    """So many units or cards of one id, as lists name them: "2 x WA-01"."""

    times: int
    id: str


def several(written: str) -> Several:
    """Parse "2 x WA-01" or "FS-3". Raises ValueError."""
    found = _SEVERAL.fullmatch(written)
    if found is None:
        raise ValueError(f'{written} should read like "WA-01" or "2 x WA-01"')
    return Several(int(found[1] or 1), found[2])


Units = Annotated[
    list[Annotated[Several, WrittenAs(Annotated[str, Field(max_length=20)], several)]],
    Field(min_length=1, max_length=MOST_ROWS),
]


def _armour(ratings: Sequence[int]) -> Armour:
    return Armour(*ratings)


class PointsEntry(Entry):
    """Prices of figures and of the crews of vehicles by experience."""

    figure: Annotated[Mapping[str, int], WrittenAs(dict[Experience, Annotated[int, Field(ge=0, le=50)]], dict)]
    crew: Annotated[Mapping[str, int], WrittenAs(dict[Experience, Annotated[int, Field(ge=0, le=50)]], dict)]


class UnitOption(Written, frozen=True, omit_defaults=True):
    """Option of units for the difference in price (AE-OPEN-06), once each: a figure of units of these `roles`
    (none: of any) that has the weapon `bearer` has one weapon more, or for the one that it `drops`; or a vehicle has a
    `trait`. It is a plain figure without abilities of its own, unless it may be `anybody`."""

    number: Annotated[int, Field(ge=1, le=30)]
    roles: Annotated[tuple[Role, ...], Field(max_length=6)] = ()
    bearer: Annotated[str, Field(max_length=40)] = ""
    adds: Annotated[str, Field(max_length=40)] = ""
    drops: Annotated[str, Field(max_length=40)] = ""
    trait: Annotated[str, Field(max_length=40)] = ""
    anybody: bool = False


class FactionEntry(PageEntry):
    """Head of an army list, with the ratings for initiative and air superiority. `rate`: percent of their sums that its
    units and vehicles cost."""

    initiative: Annotated[int, Field(ge=0, le=9)]
    air: Annotated[int, Field(ge=0, le=9)]
    rate: Annotated[int, Field(ge=50, le=200)] = FULL


class CardsEntry(Entry):
    """The support cards that a faction may buy."""

    ids: Annotated[list[Annotated[str, Field(pattern=r"^FS-[1-9][0-9]?$")]], Field(max_length=30)]


class UnitEntry(Entry):
    """An infantry unit. `figures`: ranks in order, the leader first; `abilities`: of all of them; `teams`: how it may
    be split, by numbers of figures from 1, the leader of each first."""

    id: UnitId
    name: Key
    role: Role
    experience: Experience
    ccr: Annotated[int, Field(ge=0, le=9)]
    move: Annotated[Inches, Field(ge=100, le=6000)]
    armour: Annotated[int, Field(ge=0, le=12)] = 0
    abilities: Annotated[list[Id], Field(max_length=8)] = []
    figures: Annotated[
        list[Annotated[Rank, WrittenAs(Annotated[str, Field(max_length=80)], rank)]], Field(min_length=1, max_length=10)
    ]
    teams: Annotated[list[Annotated[list[int], Field(min_length=1, max_length=10)]], Field(max_length=4)] = []
    points: Annotated[int, Field(ge=1, le=999)]


class VehicleEntry(Entry):
    """A vehicle. `armour`: front, side, rear, top; `size`: where it is not that of its class."""

    id: UnitId
    name: Key
    kind: VehicleKind
    armour: Annotated[
        Armour,
        WrittenAs(Annotated[list[Annotated[int, Field(ge=1, le=40)]], Field(min_length=4, max_length=4)], _armour),
    ]
    move: Annotated[Inches, Field(ge=100, le=9000)]
    crew: Annotated[int, Field(ge=1, le=9)]
    places: Annotated[int, Field(ge=0, le=40)] = 0
    experience: Experience
    weapons: Annotated[list[Id], Field(max_length=6)] = []
    traits: Annotated[list[Id], Field(max_length=6)] = []
    size: Place | None = None
    glyph: Glyph = ""
    points: Annotated[int, Field(ge=1, le=999)]


class ReadyEntry(Entry):
    """A ready list of a size."""

    limit: Annotated[int, Field(ge=50, le=5000)]
    units: Units


class ArmsDocument(Entry):
    """One content file of arms, men, vehicles or an army list."""

    weapon: Keyed[Weapon] = {}
    ability: Keyed[Ability] = {}
    class_: Annotated[Keyed[VehicleClass], Field(alias="class")] = {}
    trait: Keyed[VehicleTrait] = {}
    damage: Keyed[DamageCode] = {}
    support: Annotated[list[SupportCard], rows(SupportCard, 30, "card")] = []
    power: Keyed[Power] = {}
    points: PointsEntry | None = None
    options: Annotated[list[UnitOption], rows(UnitOption, 30)] = []
    faction: FactionEntry | None = None
    cards: CardsEntry | None = None
    page: Annotated[list[UnitEntry], rows(UnitEntry, MOST_ROWS, "unit")] = []
    motor_pool: Annotated[list[VehicleEntry], rows(VehicleEntry, MOST_ROWS, "vehicle")] = []
    ready: Annotated[list[ReadyEntry], rows(ReadyEntry, 20, "list")] = []
