"""Schema of the TOML of terrain, of what the dice lay, and of scenarios: checked by pydantic, unknown keys refused.

A file holds [terrain.ID] for kinds of terrain, [laid] for the pieces of a usual table, or one [scenario]. Lengths are
centimetres. Kinds of terrain are declared in state/model.py.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Key, Place, WrittenAs
from engine.kit.values import Keyed, Written, rows
from engine.rulesets.apocalypse_earth.content.army_schema import Several, Units
from engine.rulesets.apocalypse_earth.state.model import Feature, Objective, Prize, Terrain, Zone

Side = Annotated[int, Field(ge=0, le=5)]
Turns = Annotated[int, Field(ge=1, le=20)]
MOST_SEATS = 6


class LaidEntry(Written, frozen=True):
    """Pieces of these kinds by turns: `count` of them on the usual table; `size` where the dice do not say it."""

    id: Id
    kinds: Annotated[tuple[Id, ...], Field(min_length=1, max_length=4)]
    count: Annotated[int, Field(ge=0, le=30)] = 0
    size: Place = (0, 0)


class GivenForce(Written, frozen=True):
    """A force that the scenario gives: its units by id, their points, and the zone in which it is set up."""

    id: Id
    name: Key
    faction: Id
    units: Annotated[tuple[Several, ...], WrittenAs(Units, tuple)]
    points: Annotated[int, Field(ge=1, le=5000)]
    zone: Id


class SideEntry(Entry):
    """Rights of a side of the scenario: to hide units at set-up, to leave by a stretch of the edge; and the features
    `near` each of which it has a unit."""

    hides: bool = True
    leaves: Annotated[list[Place], Field(max_length=2)] = []
    near: Annotated[list[Id], Field(max_length=20)] = []


class FormEntry(Entry):
    """The scenario for a number of people. `sides` of its seats, none where each is for themselves; the `points` of
    each seat, or the `forces` that each has; the zone of each seat, where it is not that of its forces, or those from
    which seats `choose`; `usual`: factions of seats where nobody chooses ("": any)."""

    id: Annotated[str, Field(pattern=r"^[a-z]{0,20}$")] = ""
    turns: Turns
    minutes: Annotated[int, Field(ge=5, le=600)] = 120
    sides: Annotated[list[Side], Field(max_length=MOST_SEATS)] = []
    points: Annotated[list[Annotated[int, Field(ge=50, le=5000)]], Field(max_length=MOST_SEATS)] = []
    forces: Annotated[list[list[Id]], Field(max_length=MOST_SEATS)] = []
    zones: Annotated[list[str], Field(max_length=MOST_SEATS)] = []
    choose: Annotated[list[Id], Field(max_length=MOST_SEATS)] = []
    usual: Annotated[list[str], Field(max_length=MOST_SEATS)] = []


class ScenarioEntry(Entry):
    """A table in its forms. `standard`: the pieces of [laid] lie on it, by its area; `laid`: so many of each
    instead."""

    id: Id
    name: Key
    about: Key
    size: Place
    ground: Id = "grass"
    standard: bool = False
    laid: Annotated[dict[Id, Annotated[int, Field(ge=1, le=30)]], Field(max_length=20)] = {}
    deploys: Annotated[list[Side], Field(max_length=MOST_SEATS)] = []
    first: Annotated[int, Field(ge=-1, le=5)] = -1
    unit_share: Annotated[int, Field(ge=1, le=100)] = 1
    margin: Annotated[int, Field(ge=0, le=500)] = 0
    alarm: Annotated[int, Field(ge=-1, le=5)] = -1
    dust: bool = False
    infiltrates: bool = True
    features: Annotated[list[Feature], Field(max_length=80, alias="feature")] = []
    zones: Annotated[list[Zone], Field(max_length=12, alias="zone")] = []
    objectives: Annotated[list[Objective], Field(max_length=20, alias="objective")] = []
    prizes: Annotated[list[Prize], Field(max_length=20, alias="prize")] = []
    force: Annotated[list[GivenForce], Field(max_length=MOST_SEATS)] = []
    side: Annotated[list[SideEntry], Field(max_length=MOST_SEATS)] = []
    form: Annotated[list[FormEntry], Field(min_length=1, max_length=12)]


class BattleDocument(Entry):
    """One content file of terrain, of pieces that the dice lay, or of a scenario."""

    terrain: Keyed[Terrain] = {}
    laid: Annotated[list[LaidEntry], rows(LaidEntry, 30, "lot")] = []
    scenario: ScenarioEntry | None = None
