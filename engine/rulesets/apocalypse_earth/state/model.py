"""The content of one match, by value: the table with its terrain, zones and prizes, the forces, the options.

Lengths are hundredths of a centimetre.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from pydantic import Field

from engine.core.content.content_schema import Id, Inches, Key, Place
from engine.core.rules.memo import MatchContent
from engine.kit.terrain.place_schema import Shape
from engine.kit.values import KEYED, REQUIRED, Written
from engine.rulesets.apocalypse_earth.state.profiles import (
    Ability,
    Cover,
    DamageCode,
    Force,
    Power,
    SupportCard,
    VehicleClass,
    VehicleTrait,
    Weapon,
)
from engine.space.vectors.points import Point as Point

Worth = Annotated[int, Field(ge=0, le=500)]
INFANTRY: Final = "infantry"
"""All units but vehicles, where a prize names units."""


class Terrain(Written, frozen=True, omit_defaults=True):
    """A kind of terrain (AE-OPEN-28). `line`: a barrier without inside; `toll`: the price of crossing it, or of going
    in and out of an area; `foliage`: seen through for 6 cm; `hill`: it blocks sight, but not that of those on it, and
    its `cover` is that of those on it near its outline; `wall`: some vehicles flatten it, some may not cross it;
    `ruin`: the kind that it becomes when it has burnt out or collapsed, "" where nothing is left. Of a building:
    `armour` is its rating, `room` its figures, `falls` the penetrations by High weapons at which it collapses."""

    id: Annotated[str, KEYED]
    name: Key
    cover: Cover = "open"
    difficult: bool = False
    impassable: bool = False
    line: bool = False
    toll: Inches = 0
    foliage: bool = False
    hill: bool = False
    flammable: bool = False
    wall: bool = False
    ruin: str = ""
    armour: Annotated[int, Field(ge=0, le=40)] = 0
    room: Annotated[int, Field(ge=0, le=60)] = 0
    falls: Annotated[int, Field(ge=0, le=20)] = 0

    @property
    def building(self) -> bool:
        """True for a building."""
        return self.armour > 0

    @property
    def blocks(self) -> bool:
        """True where it stops sight: a building or a hill."""
        return self.building or self.hill

    @property
    def cover_throughout(self) -> Cover:
        """The cover of whoever is in it or close behind it, from wherever fire comes: on a hill none."""
        return "open" if self.hill else self.cover


class Feature(Written, frozen=True):
    """A piece of terrain: an outline, or the points of a line."""

    id: Id
    kind: Id
    outline: Shape


class Lot(Written, frozen=True):
    """Pieces of one kind that the dice lay: `count` of them (AE-OPEN-30). `size`: length and width; (0, 0) where the
    dice say that too."""

    kind: Id
    count: Annotated[int, Field(ge=1, le=30)]
    size: Point = (0, 0)


class Objective(Written, frozen=True, omit_defaults=True):
    """A place that is held by a figure near it. `worth`: points at the end; `each`: at the end of each turn from
    `since`."""

    id: Id
    at: Place
    worth: Worth = 0
    each: Worth = 0
    since: Annotated[int, Field(ge=1, le=20)] = 2


class Prize(Written, frozen=True, omit_defaults=True):
    """Points of a scenario beside objectives and units. `side`: of whom, -1: whoever earns them. `what`:
    - inside: each building of `features` where only one side has fit figures inside, at the end of `turns` (none: at
      the end of the game); `otherwise`: the side that gets it where no other one has it alone, -1 none
    - razed: each building of `features` that has collapsed, burnt out or burns at the end
    - home: each unit of `units` with `figures` figures within `outline` at the end
    - out: each unit of `units` that has left the table with at least half its figures
    - kept: each unit of `units` of the enemy that is destroyed, or still on the table at the end.
    `units`: ids of profiles, or INFANTRY."""

    id: Id
    what: Literal["inside", "razed", "home", "out", "kept"]
    points: Worth
    side: Annotated[int, Field(ge=-1, le=5)] = -1
    otherwise: Annotated[int, Field(ge=-1, le=5)] = -1
    features: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    units: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    figures: Annotated[int, Field(ge=1, le=10)] = 1
    outline: Shape = ()
    turns: Annotated[tuple[int, ...], Field(max_length=20)] = ()


class Zone(Written, frozen=True, omit_defaults=True):
    """A place to deploy in; `edge`: the friendly edge of the table. `id`: its name in a scenario."""

    outline: Shape
    edge: Literal["south", "east", "north", "west"]
    id: Annotated[Id, REQUIRED] = ""


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a scenario. `zone`: the number of its zone where the scenario gives it, -1 where it is chosen by
    initiative; `points`: of its force; `hides`: whether it may deploy hidden units; `leaves`: the stretch of the edge
    by which its units may leave, () for none; `near`: features each of which must have one of its side's units near."""

    points: int
    zone: int = -1
    hides: bool = True
    leaves: tuple[Point, ...] = ()
    near: tuple[str, ...] = ()


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in one of its forms. `sides`: the side of each seat, () in a free-for-all. `deploys`: the sides in the
    order of deployment, `first`: the side that acts first; both () and -1 where initiative decides. `unit_share`: an
    enemy unit pays its price divided by this, rounded down over all (1: its price). `margin`: the lead that is a
    victory, 0: by share of the agreed size (AE-OPEN-27); `alarm`: the side of which two units act a turn until it is
    alarmed, -1: none; `dust`: in turn 1 nobody fires at or charges who has not acted; `infiltrates`: False where
    Infiltrate gives nothing; `zones`: to choose from or given, () for those of AE-SETUP-03."""

    id: str
    name: str
    about: str
    size: Point
    turns: int
    seats: tuple[SeatPlan, ...]
    sides: tuple[int, ...] = ()
    features: tuple[Feature, ...] = ()
    lots: tuple[Lot, ...] = ()
    objectives: tuple[Objective, ...] = ()
    prizes: tuple[Prize, ...] = ()
    zones: tuple[Zone, ...] = ()
    deploys: tuple[int, ...] = ()
    first: int = -1
    unit_share: int = 1
    margin: int = 0
    alarm: int = -1
    dust: bool = False
    infiltrates: bool = True
    minutes: int = 120
    ground: str = "grass"


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """The optional rules of a table (AE-GEN-07)."""

    overwatch: bool = True
    support: bool = True
    air: bool = True
    fires: bool = True
    sarge: bool = True
    prisoners: bool = False
    casualties: bool = False
    repairs: bool = False


class Resolved(MatchContent, frozen=True, omit_defaults=True):
    """All content of one match. `forces`: by seat."""

    scenario: Scenario
    forces: tuple[Force, ...]
    terrain: Mapping[str, Terrain]
    weapons: Mapping[str, Weapon]
    cards: Mapping[str, SupportCard]
    powers: Mapping[str, Power]
    classes: Mapping[str, VehicleClass]
    codes: Mapping[str, DamageCode]
    options: Options = Options()
    abilities: Mapping[str, Ability] = {}
    traits: Mapping[str, VehicleTrait] = {}
