"""Schema of the TOML of terrain, powers and tables: checked by pydantic, in inches, unknown keys refused.

A file holds [terrain.ID] for kinds of terrain, [power.ID] for psychic powers, or one [scenario].
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Inches, Key, Place
from engine.rulesets.one_page.state.profiles import Kind

Die = Annotated[int, Field(ge=0, le=6)]


class TerrainEntry(Entry):
    """A kind of terrain (OP-OPEN-15); its fields are described in model.py."""

    name: Key
    cover: bool = False
    difficult: bool = False
    blocks: bool = False
    impassable: bool = False
    line: bool = False
    toll: Inches = 0
    bars: Annotated[list[Kind], Field(max_length=6)] = []
    room: Annotated[int, Field(ge=0, le=60)] = 0
    bogs: bool = False
    trips: bool = False
    mined: bool = False


class PowerEntry(Entry):
    """A psychic power (OP-OPEN-14); its fields are described in model.py."""

    discipline: Id
    name: Key
    text: Key
    successes: Annotated[int, Field(ge=1, le=12)]
    range: Annotated[int, Field(ge=1, le=96)]
    effect: Id
    friend: bool = False
    hits: Annotated[int, Field(ge=0, le=20)] = 0
    dice: Die = 0
    special: Annotated[list[Id], Field(max_length=4)] = []
    side: bool = False


class FeatureEntry(Entry):
    """A piece laid by hand: its corners, or the points of a barrier."""

    id: Id
    kind: Id
    outline: Annotated[list[Place], Field(min_length=2, max_length=64)]


class LotEntry(Entry):
    """Pieces laid by the dice: their number, and their least and greatest size across."""

    kind: Id
    count: Annotated[int, Field(ge=1, le=30)]
    least: Inches = 6
    most: Inches = 11


class ScenarioEntry(Entry):
    """A table: its size, its agreed points, its terrain."""

    id: Id
    name: Key
    about: Key
    size: Place = [96, 72]
    points: Literal[3000, 6000]
    ground: Id = "grass"
    minutes: Annotated[int, Field(ge=5, le=600)] = 120
    feature: Annotated[list[FeatureEntry], Field(max_length=60)] = []
    lot: Annotated[list[LotEntry], Field(max_length=30)] = []


class BattleDocument(Entry):
    """One content file of terrain, powers or a table."""

    terrain: dict[Id, TerrainEntry] = {}
    power: dict[Id, PowerEntry] = {}
    scenario: ScenarioEntry | None = None
