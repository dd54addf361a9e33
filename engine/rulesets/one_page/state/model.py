"""The content of one match, by value: the table and its terrain, the two forces, the psychic powers.

Lengths are hundredths of an inch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field

from engine.core.content.content_schema import Ground, Id, Inches, Key, Place, WrittenAs
from engine.core.rules.memo import MatchContent
from engine.kit.terrain.place_schema import Corners
from engine.kit.values import KEYED, Written
from engine.rulesets.one_page.state.profiles import Force, Kind
from engine.space.vectors.points import Point as Point


class Terrain(Written, frozen=True, omit_defaults=True):
    """A kind of terrain (OP-OPEN-15). `blocks`: sight to what lies behind it is stopped; `line`: a barrier without
    inside, `toll`: what crossing it costs; `bars`: kinds of units that may not enter; `room`: the most models of the
    one unit of Infantry that it holds (0: no limit); `bogs`: a Vehicle may get stuck on entering; `trips`: it may be
    stopped by it; `mined`: whoever enters may be hit."""

    id: Annotated[str, KEYED]
    name: Key
    cover: bool = False
    difficult: bool = False
    blocks: bool = False
    impassable: bool = False
    line: bool = False
    toll: Inches = 0
    bars: Annotated[tuple[Kind, ...], Field(max_length=6)] = ()
    room: Annotated[int, Field(ge=0, le=60)] = 0
    bogs: bool = False
    trips: bool = False
    mined: bool = False


class Feature(Written, frozen=True):
    """A piece of terrain: an outline, or the line of a barrier."""

    id: Id
    kind: Id
    outline: Corners


class Lot(Written, frozen=True):
    """Pieces of one kind, laid at random: `count` of them, from `least` to `most` across."""

    kind: Id
    count: Annotated[int, Field(ge=1, le=30)]
    least: Inches = 600
    most: Inches = 1100


SEATS: Final = 2
"""The seats of a battle without sides."""


class Scenario(Written, frozen=True, omit_defaults=True):
    """A table of a size in hundredths with its terrain, laid by hand or at random, and the agreed points of each seat.
    `sides`: the side of each seat, none where two play alone."""

    id: Id
    name: Key
    about: Key
    points: Annotated[int, WrittenAs(Literal[3000, 6000], int)]
    size: Place = (9600, 7200)
    features: Annotated[tuple[Feature, ...], Field(max_length=60, alias="feature")] = ()
    lots: Annotated[tuple[Lot, ...], Field(max_length=30, alias="lot")] = ()
    minutes: Annotated[int, Field(ge=5, le=600)] = 120
    ground: Ground = "grass"
    sides: Annotated[tuple[Annotated[int, WrittenAs(Literal[0, 1], int)], ...], Field(max_length=6)] = ()


class Power(Written, frozen=True, omit_defaults=True):
    """A psychic power (OP-OPEN-14). `friend`: it is for a friendly unit. `effect`: one of EFFECTS (content.py);
    `hits` and `dice`: fixed or rolled number of hits; `rules`: those of these hits, or what the unit has for the round.
    `side`: a Vehicle that is wounded rolls as if hit in the side."""

    id: Annotated[str, KEYED]
    discipline: Id
    name: Key
    text: Key
    successes: Annotated[int, Field(ge=1, le=12)]
    range: Annotated[int, WrittenAs(Annotated[int, Field(ge=1, le=96)], lambda inches: inches * 100)]
    effect: Id
    friend: bool = False
    hits: Annotated[int, Field(ge=0, le=20)] = 0
    dice: Annotated[int, Field(ge=0, le=6)] = 0
    rules: Annotated[tuple[Id, ...], Field(max_length=4, alias="special")] = ()
    side: bool = False


class Resolved(MatchContent, frozen=True, omit_defaults=True):
    """All content of one match. `whole`: ids of the upgrades that are for all models of a unit; `assault_out`: by an
    option of the table, units may assault out of cover."""

    scenario: Scenario
    forces: tuple[Force, ...]
    terrain: Mapping[str, Terrain]
    powers: tuple[Power, ...]
    whole: tuple[str, ...] = ()
    assault_out: bool = False
