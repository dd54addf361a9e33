"""Schema of the TOML of terrain, maps, factions and scenarios: checked by pydantic, in inches, nothing unknown.

Lengths are inches with at most two decimals; they become hundredths in content.py. A file holds one of these tables:
[terrain.ID] for each kind of terrain, [event.ID] for each Special Event, [map], [faction], or [scenario].

A name is a key of the catalogue, or the words themselves: an unknown key is shown as it is.
"""

from typing import Annotated, Final, Literal

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Inches, Key, Place, Words

Cover = Literal["open", "cover", "building"]
Outline = Annotated[list[Place], Field(min_length=2, max_length=64)]
Box = Annotated[list[Inches], Field(min_length=4, max_length=4)]
FIRST_LATE_ROW: Final = 2
"""The first row that a group can come with which is not there from the start."""


class TerrainEntry(Entry):
    """Kind of terrain: its cover, whether it blocks sight, whether it is a barrier without inside."""

    cover: Cover
    blocks: bool
    line: bool = False
    position: bool = True
    impassable: bool = False
    shields: bool = False


class Shape(Entry):
    """Place on the table: an outline; or a box (left, bottom, width, height); or an eight-cornered patch (x and y of
    the middle, half its width, half its height)."""

    outline: Outline = []
    box: Box | None = None
    patch: Box | None = None


class FeatureEntry(Shape):
    """Piece of terrain of some kind, with the doors of a building."""

    id: Id
    kind: Id
    name: Key
    doors: list[Place] = []


class ZoneEntry(Shape):
    """Marked area."""

    id: Id
    name: Key


class KillEntry(Entry):
    """Kill numbers by cover."""

    open: Annotated[int, Field(ge=1, le=999)]
    cover: Annotated[int, Field(ge=1, le=999)]
    building: Annotated[int, Field(ge=1, le=999)]


class CardsEntry(Entry):
    """Number of cards of each kind."""

    single: Annotated[int, Field(ge=0, le=20)]
    double: Annotated[int, Field(ge=0, le=20)]
    triple: Annotated[int, Field(ge=0, le=20)]


class ActionsEntry(Entry):
    """Actions that a card of each kind gives."""

    single: Annotated[int, Field(ge=1, le=1000)] = 1
    double: Annotated[int, Field(ge=1, le=1000)] = 2
    triple: Annotated[int, Field(ge=1, le=1000)] = 3


class AdjustEntry(Entry):
    """Change in the number of cards of each kind."""

    single: Annotated[int, Field(ge=-20, le=20)] = 0
    double: Annotated[int, Field(ge=-20, le=20)] = 0
    triple: Annotated[int, Field(ge=-20, le=20)] = 0


class WeaponEntry(Entry):
    """Weapon with its shooting dice. `blast`: fired at a place, at all under a circle six inches wide."""

    id: Id
    name: Key
    dice: Annotated[int, Field(ge=0, le=60)]
    blast: bool = False


class VehicleEntry(Entry):
    """Vehicle part of a figure. `size`: length (along its facing) and width; `move` and `kill` its own; `doors`: the
    sides with a door in their middle; `seats`: how many figures it carries."""

    travel: Literal["road", "off_road", "air"]
    size: Place
    move: Inches
    kill: KillEntry
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
    base: Inches = 1
    glyph: Annotated[str, Field(max_length=24)] = ""
    crew: Annotated[int, Field(ge=1, le=6)] = 1
    gun: Annotated[str, Field(max_length=40)] = ""
    least: Annotated[int, Field(ge=1, le=6)] = 1
    vehicle: VehicleEntry | None = None


class OrganisationEntry(Entry):
    """Kind of group beside the faction's usual one, with a size, and perhaps a Move, of its own."""

    id: Id
    name: Key
    size: Annotated[int, Field(ge=1, le=24)]
    move: Inches | None = None


class SquadEntry(Entry):
    """Groups of these figures, `count` of them, of some organisation (left out: the faction's usual one). `late`: the
    row with which they come on at a table of four or more, unless the role says with which; left out, they are there
    from the start."""

    organisation: Annotated[str, Field(max_length=40)] = ""
    count: Annotated[int, Field(ge=1, le=20)] = 1
    late: Annotated[int, Field(ge=FIRST_LATE_ROW, le=20)] | None = None
    figures: Annotated[list[Id], Field(min_length=1, max_length=24)]


class SpecialEntry(Entry):
    """Special action. `hint`: its description, where the catalogue has no words for its name."""

    id: Id
    name: Key
    hint: Words = ""
    effect: Id
    roll: bool = False
    feature: Annotated[str, Field(max_length=40)] = ""
    goal: Annotated[int, Field(ge=1, le=20)] = 1
    once: bool = True


class FactionEntry(Entry):
    """Faction profile. `background`: its description, in paragraphs with an empty line between them."""

    id: Id
    name: Key
    background: Annotated[str, Field(max_length=8_000)] = ""
    size: Annotated[int, Field(ge=1, le=24)]
    move: Inches
    glyph: Annotated[str, Field(max_length=24)] = ""
    traits: list[Id] = []
    kill: KillEntry
    cards: CardsEntry = CardsEntry(single=5, double=3, triple=1)
    weapon: Annotated[list[WeaponEntry], Field(max_length=40)] = []
    figure: Annotated[list[FigureEntry], Field(max_length=40)]
    organisation: Annotated[list[OrganisationEntry], Field(max_length=10)] = []
    squad: Annotated[list[SquadEntry], Field(max_length=40)]
    special: Annotated[list[SpecialEntry], Field(max_length=20)] = []


class EffectEntry(Entry):
    """Effect of a Special Event; the keys that it reads depend on its kind."""

    kind: Id
    who: Id = "all"
    by: Id = "chance"
    groups: Id = "any"
    terrain: list[Id] = []
    zone: Annotated[str, Field(max_length=40)] = ""
    each: bool = False
    stuns: bool = False
    dice: Annotated[int, Field(ge=0, le=60)] = 0
    most: Annotated[int, Field(ge=0, le=60)] = 0
    rows: Annotated[int, Field(ge=0, le=20)] = 1
    sight: Inches = 0
    move: Annotated[int, Field(ge=10, le=300)] = 100
    actions: Annotated[int, Field(ge=-2, le=3)] = 0
    radius: Inches = 0
    speed: Inches = 0
    kill: Annotated[int, Field(ge=0, le=999)] = 0
    wounds: Annotated[int, Field(ge=1, le=20)] = 1
    base: Inches = 0


class EventEntry(Entry):
    """Special Event."""

    name: Key
    text: Words
    effect: Annotated[list[EffectEntry], Field(min_length=1, max_length=6)]


class ConditionEntry(Entry):
    """Victory condition. `share`: the goal in percent of the figures that it is about, in place of `goal`."""

    id: Id
    kind: Id
    name: Words = ""
    text: Words = ""
    points: Annotated[int, Field(ge=0, le=20)] = 1
    feature: Annotated[str, Field(max_length=40)] = ""
    zone: Annotated[str, Field(max_length=40)] = ""
    special: Annotated[str, Field(max_length=40)] = ""
    seat: Annotated[int, Field(ge=-1, le=7)] = -1
    goal: Annotated[int, Field(ge=1, le=200)] = 1
    share: Annotated[int, Field(ge=0, le=100)] = 0


class ReserveEntry(Entry):
    """Groups that come later: so many, the last that the faction names, with a `row`, in a box (left out: where the
    role starts)."""

    row: Annotated[int, Field(ge=FIRST_LATE_ROW, le=20)]
    groups: Annotated[int, Field(ge=1, le=10)] = 1
    start: Box | None = None


class RoleEntry(Entry):
    """Role of one seat. `faction`: the one that it gets where nobody chooses; `adjust`: cards more or fewer."""

    name: Key
    start: Box
    win: Annotated[int, Field(ge=1, le=50)]
    secrets: Annotated[int, Field(ge=0, le=5)] = 0
    facing: Annotated[int, Field(ge=0, le=359)] = 0
    cards: CardsEntry | None = None
    adjust: AdjustEntry | None = None
    faction: Annotated[str, Field(max_length=40)] = ""
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
    ground: Id = "grass"
    feature: Annotated[list[FeatureEntry], Field(max_length=80)] = []
    zone: Annotated[list[ZoneEntry], Field(max_length=40)] = []


class ScatterEntry(Entry):
    """Terrain left to chance: `count` pieces of `size` (width and height, or turned), `within` a box, so far `apart`.

    `form`: patch, box (with `doors`: one in each side), or, for barriers, line.
    """

    id: Id
    kind: Id
    name: Key
    count: Annotated[int, Field(ge=1, le=20)]
    size: Place
    within: Box
    apart: Inches = 2
    form: Literal["patch", "box", "line"] = "patch"
    doors: bool = False


class ScenarioEntry(Entry):
    """Scenario, on a table of its own `size`, or on a `map`, to which it may add features and zones."""

    id: Id
    name: Key
    about: Words
    map: Annotated[str, Field(max_length=40)] = ""
    size: Place = []
    reshuffles: Annotated[int, Field(ge=1, le=10)]
    minutes: Annotated[int, Field(ge=1, le=600)] = 90
    ground: Id = "grass"
    events: list[Id] = []
    face_down: bool = False
    actions: ActionsEntry = ActionsEntry()
    travel: TravelEntry = TravelEntry()
    feature: Annotated[list[FeatureEntry], Field(max_length=80)] = []
    zone: Annotated[list[ZoneEntry], Field(max_length=40)] = []
    special: Annotated[list[SpecialEntry], Field(max_length=20)] = []
    scatter: Annotated[list[ScatterEntry], Field(max_length=20)] = []
    role: list[RoleEntry] = []
    secret: Annotated[list[ConditionEntry], Field(max_length=40)] = []


class Document(Entry):
    """File of content."""

    terrain: dict[Id, TerrainEntry] = {}
    event: dict[Id, EventEntry] = {}
    map: MapEntry | None = None
    faction: FactionEntry | None = None
    scenario: ScenarioEntry | None = None
