"""Schema of the TOML of terrain, of what the dice lay, and of scenarios: checked by pydantic, unknown keys refused.

A file holds [terrain.ID] for kinds of terrain, [laid] for the pieces of a usual table, or one [scenario]. Lengths are
centimetres. Kinds of terrain are declared in state/model.py.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Key, Place
from engine.kit.terrain.place_schema import PlaceEntry
from engine.kit.values import Keyed, Written, rows
from engine.rulesets.apocalypse_earth.content.army_schema import Units
from engine.rulesets.apocalypse_earth.state.model import Terrain

Side = Annotated[int, Field(ge=0, le=5)]
Worth = Annotated[int, Field(ge=0, le=500)]
Turns = Annotated[int, Field(ge=1, le=20)]
MOST_SEATS = 6


class LaidEntry(Written, frozen=True):
    """Pieces of these kinds by turns: `count` of them on the usual table; `size` where the dice do not say it."""

    id: Id
    kinds: Annotated[tuple[Id, ...], Field(min_length=1, max_length=4)]
    count: Annotated[int, Field(ge=0, le=30)] = 0
    size: Place = (0, 0)


class FeatureEntry(PlaceEntry):
    """A piece of terrain of some kind."""

    id: Id
    kind: Id


class ZoneEntry(PlaceEntry):
    """A zone to set up in, and the friendly edge of who does."""

    id: Id
    edge: Literal["south", "east", "north", "west"]


class ObjectiveEntry(Entry):
    """A place to hold: its worth at the end, and at the end of `each` turn from the second on."""

    id: Id
    at: Place
    worth: Worth = 0
    each: Worth = 0


class PrizeEntry(Entry):
    """Points beside objectives and units, as Prize documents them (state/model.py); `zone`: that of `home`."""

    id: Id
    what: Literal["inside", "razed", "home", "out", "kept"]
    points: Worth
    side: Annotated[int, Field(ge=-1, le=5)] = -1
    otherwise: Annotated[int, Field(ge=-1, le=5)] = -1
    features: Annotated[list[Id], Field(max_length=20)] = []
    units: Annotated[list[str], Field(max_length=20)] = []
    figures: Annotated[int, Field(ge=1, le=10)] = 1
    zone: Annotated[str, Field(max_length=40)] = ""
    turns: Annotated[list[Turns], Field(max_length=20)] = []


class ForceEntry(Entry):
    """A force that the scenario gives: its units by id, their points, and the zone in which it is set up."""

    id: Id
    name: Key
    faction: Id
    units: Units
    points: Annotated[int, Field(ge=1, le=5000)]
    zone: Id


class SideEntry(Entry):
    """What a side of the scenario may: hide units at set-up, leave by a stretch of the edge; and the features `near`
    each of which it has a unit."""

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
    feature: Annotated[list[FeatureEntry], Field(max_length=80)] = []
    zone: Annotated[list[ZoneEntry], Field(max_length=12)] = []
    objective: Annotated[list[ObjectiveEntry], Field(max_length=20)] = []
    prize: Annotated[list[PrizeEntry], Field(max_length=20)] = []
    force: Annotated[list[ForceEntry], Field(max_length=MOST_SEATS)] = []
    side: Annotated[list[SideEntry], Field(max_length=MOST_SEATS)] = []
    form: Annotated[list[FormEntry], Field(min_length=1, max_length=12)]


class BattleDocument(Entry):
    """One content file of terrain, of pieces that the dice lay, or of a scenario."""

    terrain: Keyed[Terrain] = {}
    laid: Annotated[list[LaidEntry], rows(LaidEntry, 30, "lot")] = []
    scenario: ScenarioEntry | None = None
