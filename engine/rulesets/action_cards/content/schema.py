"""Schema of the TOML of terrain, maps, factions and scenarios: checked by pydantic, in inches, nothing unknown.

Lengths are inches with at most two decimals; read, they are hundredths. What is played as it is written is declared in
model.py, the rest here. A file holds one of these tables:
[terrain.ID] for each kind of terrain, [event.ID] for each Special Event, [map], [faction], [scenario] or [lesson].

A name is a key of the catalogue, or the words themselves: an unknown key is shown as it is.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from engine.core.content.content_schema import Entry, Glyph, Ground, Id, Inches, Key, Place, Words
from engine.kit.lesson_schema import LessonEntry
from engine.kit.terrain.place_schema import BoxCorners, FeatureEntry, ZoneEntry
from engine.kit.values import Keyed
from engine.rulesets.action_cards.state.model import (
    CardActions,
    CardMix,
    EventCard,
    Kill,
    Named,
    Organisation,
    Scatter,
    Special,
    Terrain,
    Weapon,
)

FIRST_LATE_ROW: Final = 2
"""The first row that a group can come with which is not there from the start."""


class AdjustEntry(Entry):
    """Change in the number of cards of each kind."""

    single: Annotated[int, Field(ge=-20, le=20)] = 0
    double: Annotated[int, Field(ge=-20, le=20)] = 0
    triple: Annotated[int, Field(ge=-20, le=20)] = 0


class VehicleEntry(Entry):
    """Vehicle part of a figure. `size`: length (along its facing) and width; `move` and `kill` its own; `doors`: the
    sides with a door in their middle; `seats`: how many figures it carries."""

    travel: Literal["road", "off_road", "air"]
    size: Place
    move: Inches
    kill: Kill
    seats: Annotated[int, Field(ge=0, le=24)] = 0
    doors: list[Literal["front", "rear", "left", "right"]] = []


class FigureEntry(Entry):
    """Kind of figure. `close`: close combat dice where they differ from its weapons'; `base`: width in inches.

    `crew`: so many share a base; `gun`: the weapon that they serve, while `least` of them are left.
    """

    id: Id
    name: Key
    weapons: list[Id] = []
    close: Annotated[int, Field(ge=0, le=60)] | None = None
    base: Inches = 100
    glyph: Glyph = ""
    crew: Annotated[int, Field(ge=1, le=6)] = 1
    gun: Named = ""
    least: Annotated[int, Field(ge=1, le=6)] = 1
    vehicle: VehicleEntry | None = None


class SquadEntry(Entry):
    """Groups of these figures, `count` of them, of some organisation (left out: the faction's usual one). `late`: the
    row with which they come on at a table of four or more, unless the role says with which; left out, they are there
    from the start."""

    organisation: Named = ""
    count: Annotated[int, Field(ge=1, le=20)] = 1
    late: Annotated[int, Field(ge=FIRST_LATE_ROW, le=20)] | None = None
    figures: Annotated[list[Id], Field(min_length=1, max_length=24)]


class FactionEntry(Entry):
    """Faction profile. `background`: its description, in paragraphs with an empty line between them, of which the last
    says how it plays; `strong`, `weak`: what it is good and bad at. `dealt`: a seat that chooses no faction may get
    this one."""

    id: Id
    name: Key
    background: Annotated[str, Field(max_length=8_000)] = ""
    strong: Words = ""
    weak: Words = ""
    dealt: bool = True
    size: Annotated[int, Field(ge=1, le=24)]
    move: Inches
    glyph: Glyph = ""
    traits: list[Id] = []
    kill: Kill
    cards: CardMix = CardMix()
    weapon: Annotated[list[Weapon], Field(max_length=40)] = []
    figure: Annotated[list[FigureEntry], Field(max_length=40)]
    organisation: Annotated[list[Organisation], Field(max_length=10)] = []
    squad: Annotated[list[SquadEntry], Field(max_length=40)]
    special: Annotated[list[Special], Field(max_length=20)] = []


class ConditionEntry(Entry):
    """Victory condition. `share`: the goal in percent of the figures that it is about, in place of `goal`."""

    id: Id
    kind: Id
    name: Words = ""
    text: Words = ""
    points: Annotated[int, Field(ge=0, le=20)] = 1
    feature: Named = ""
    zone: Named = ""
    special: Named = ""
    seat: Annotated[int, Field(ge=-1, le=7)] = -1
    goal: Annotated[int, Field(ge=1, le=200)] = 1
    share: Annotated[int, Field(ge=0, le=100)] = 0


class ReserveEntry(Entry):
    """Groups that come later: so many, the last that the faction names, with a `row`, in a box (left out: where the
    role starts)."""

    row: Annotated[int, Field(ge=FIRST_LATE_ROW, le=20)]
    groups: Annotated[int, Field(ge=1, le=10)] = 1
    start: BoxCorners = ()


class RoleEntry(Entry):
    """Role of one seat. `faction`: the one that it gets where nobody chooses; `adjust`: cards more or fewer; `groups`:
    the most groups of the faction that take part, the first that it names (left out: all)."""

    name: Key
    start: BoxCorners
    win: Annotated[int, Field(ge=1, le=50)]
    secrets: Annotated[int, Field(ge=0, le=5)] = 0
    facing: Annotated[int, Field(ge=0, le=359)] = 0
    cards: CardMix | None = None
    adjust: AdjustEntry | None = None
    faction: Named = ""
    groups: Annotated[int, Field(ge=1, le=20)] | None = None
    condition: Annotated[list[ConditionEntry], Field(max_length=20)] = []
    reserve: Annotated[list[ReserveEntry], Field(max_length=4)] = []


class TravelEntry(Entry):
    """Kinds of terrain that road and off-road vehicles may enter beside open ground, and barriers that they cross."""

    road: list[Id] = []
    off_road: list[Id] = ["rubble", "scrub"]


class MapEntry(Entry):
    """Table with its terrain, for several scenarios."""

    id: Id
    size: Place
    ground: Ground = "grass"
    feature: Annotated[list[FeatureEntry], Field(max_length=80)] = []
    zone: Annotated[list[ZoneEntry], Field(max_length=40)] = []


class ScenarioEntry(Entry):
    """Scenario, on a table of its own `size`, or on a `map`, to which it may add features and zones. `sides`: the side
    of each role, where it can be played so too."""

    id: Id
    name: Key
    about: Words
    map: Named = ""
    size: Place = (0, 0)
    reshuffles: Annotated[int, Field(ge=1, le=10)]
    minutes: Annotated[int, Field(ge=1, le=600)] = 90
    ground: Ground = "grass"
    events: list[Id] = []
    face_down: bool = False
    actions: CardActions = CardActions()
    travel: TravelEntry = TravelEntry()
    feature: Annotated[list[FeatureEntry], Field(max_length=80)] = []
    zone: Annotated[list[ZoneEntry], Field(max_length=40)] = []
    special: Annotated[list[Special], Field(max_length=20)] = []
    scatter: Annotated[list[Scatter], Field(max_length=20)] = []
    role: list[RoleEntry] = []
    sides: list[Annotated[int, Field(ge=0, le=5)]] = []
    secret: Annotated[list[ConditionEntry], Field(max_length=40)] = []

    def laid_on(self, table: MapEntry | None) -> ScenarioEntry:
        """Return the scenario with size, ground, features and zones of its map; its own come after the map's."""
        if table is None:
            return self
        feature, zone = [*table.feature, *self.feature], [*table.zone, *self.zone]
        laid = {"size": table.size, "ground": table.ground, "feature": feature, "zone": zone}
        return self.model_copy(update=laid)


class Document(Entry):
    """File of content."""

    terrain: Keyed[Terrain] = {}
    event: Keyed[EventCard] = {}
    map: MapEntry | None = None
    faction: FactionEntry | None = None
    scenario: ScenarioEntry | None = None
    lesson: LessonEntry | None = None
