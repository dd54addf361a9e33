"""Schema of the TOML of terrain, powers and tables: checked by pydantic, in inches, unknown keys refused.

A file holds [terrain.ID] for kinds of terrain, [power.ID] for psychic powers, or one [scenario]. Kinds of terrain and
its pieces are declared in model.py.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Key, Place
from engine.kit.values import Keyed
from engine.rulesets.one_page.state.model import Feature, Lot, Terrain

Die = Annotated[int, Field(ge=0, le=6)]


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


class ScenarioEntry(Entry):
    """A table: its size, its agreed points, its terrain."""

    id: Id
    name: Key
    about: Key
    size: Place = (9600, 7200)
    points: Literal[3000, 6000]
    ground: Id = "grass"
    sides: Annotated[list[Literal[0, 1]], Field(max_length=6)] = []
    minutes: Annotated[int, Field(ge=5, le=600)] = 120
    feature: Annotated[list[Feature], Field(max_length=60)] = []
    lot: Annotated[list[Lot], Field(max_length=30)] = []


class BattleDocument(Entry):
    """One content file of terrain, powers or a table."""

    terrain: Keyed[Terrain] = {}
    power: dict[Id, PowerEntry] = {}
    scenario: ScenarioEntry | None = None
