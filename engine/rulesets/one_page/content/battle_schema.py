"""Schema of the TOML of terrain, powers and tables: checked by pydantic, in inches, unknown keys refused.

A file holds [terrain.ID] for kinds of terrain, [power.ID] for psychic powers, one [scenario] or one [lesson]. Powers,
kinds of terrain and its pieces are declared in model.py.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Key, Place
from engine.kit.lesson_schema import LessonEntry
from engine.kit.values import Keyed
from engine.rulesets.one_page.state.model import Feature, Lot, Power, Terrain


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
    power: Keyed[Power] = {}
    scenario: ScenarioEntry | None = None
    lesson: LessonEntry | None = None
