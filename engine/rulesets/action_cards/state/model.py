"""Content of one match, by value: terrain kinds, factions, scenario. Made by content.py from TOML, kept in event 0.

Lengths are hundredths of an inch; ids are short lower-case words; names are text keys of the catalogue.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from pydantic import Field

from engine.core.content.content_schema import Id, Inches, Key, Words, WrittenAs
from engine.core.rules.memo import MatchContent
from engine.kit.terrain.scatter import Scatter as Scatter
from engine.kit.values import KEYED, REQUIRED, Written
from engine.space.vectors.points import Point as Point

Count = Annotated[int, Field(ge=0, le=60)]
KillNumber = Annotated[int, Field(ge=1, le=999)]
CardCount = Annotated[int, Field(ge=0, le=20)]
Actions = Annotated[int, Field(ge=1, le=1000)]
Named = Annotated[str, Field(max_length=40)]
"""An id, or nothing."""


class Terrain(Written, frozen=True, omit_defaults=True):
    """Kind of terrain (AC-TERR-01). `cover`: open, cover or building. `line`: a barrier without inside.

    `position`: can be held against a charge (river, wire fence and open ground cannot). `impassable`: nobody enters.
    `shields`: an area that, like a barrier, also protects those who stand behind it (a vehicle).
    """

    id: Annotated[str, KEYED]
    cover: Annotated[str, WrittenAs(Literal["open", "cover", "building"], str)]
    blocks: bool
    line: bool = False
    position: bool = True
    impassable: bool = False
    shields: bool = False

    @property
    def is_wall(self) -> bool:
        """True for ground that nobody may enter, with an inside."""
        return self.impassable and not self.line


class Feature(msgspec.Struct, frozen=True, omit_defaults=True):
    """Piece of terrain on the table: an outline (or, for a barrier, a polyline) and the doors of a building."""

    id: str
    kind: str
    name: str
    outline: tuple[Point, ...]
    doors: tuple[Point, ...] = ()


class Weapon(Written, frozen=True, omit_defaults=True):
    """Weapon and its shooting dice (D6). `blast`: it is fired at a place, at all who are under its circle."""

    id: Id
    name: Key
    dice: Count
    blast: bool = False


class Kill(Written, frozen=True, omit_defaults=True):
    """Kill numbers: points that remove one figure, by the cover it is in."""

    open: KillNumber
    cover: KillNumber
    building: KillNumber

    @property
    def numbers(self) -> dict[str, int]:
        """The kill numbers by cover class."""
        return {"open": self.open, "cover": self.cover, "building": self.building}

    def number(self, cover: str) -> int:
        """Return the kill number in this cover class."""
        return self.numbers[cover]


class Gun(msgspec.Struct, frozen=True, omit_defaults=True):
    """Crewed weapon: it fires its `dice` (or `blast` dice) while `least` of its crew are on its base."""

    weapon: str
    dice: int = 0
    blast: int = 0
    least: int = 1


class Vehicle(msgspec.Struct, frozen=True, omit_defaults=True):
    """Vehicle part of a profile. `travel`: road, off_road or air. Its base is `length` by `width`, the length along its
    facing. `doors`: the sides (front, rear, left, right) in whose middles figures get in and out; `seats`: how many it
    carries."""

    travel: str
    length: int
    width: int
    move: int
    kill: Kill
    seats: int = 0
    doors: tuple[str, ...] = ()


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """Kind of figure. `dice`: its weapons' shooting dice, those of blast weapons apart in `blast`; `close`: its close
    combat dice; `radius` of its base (of a vehicle, half its width).

    Figures of a crewed weapon share one base: `crew` is how many figures one base holds, each removed on its own; they
    serve its `gun` together.
    """

    id: str
    name: str
    weapons: tuple[str, ...]
    dice: int
    close: int
    radius: int = 50
    glyph: str = ""
    crew: int = 1
    blast: int = 0
    gun: Gun | None = None
    vehicle: Vehicle | None = None


class Special(Written, frozen=True, omit_defaults=True):
    """Special action of a faction or a scenario (AC-SPEC-01).

    `effect` is one of the effects that specials.py knows; `feature`: where the group must be (""; anywhere); `roll`:
    whether an action roll decides; `goal`: how many successes it takes; `once`: over when it has succeeded. `hint`: its
    effect in words, where the catalogue has none under `name`.hint.
    """

    id: Id
    name: Key
    effect: Id
    roll: bool = False
    feature: Named = ""
    goal: Annotated[int, Field(ge=1, le=20)] = 1
    once: bool = True
    hint: Words = ""

    @property
    def explained(self) -> str:
        """Text key (or the words) of the effect."""
        return self.hint or f"{self.name}.hint"


class CardMix(Written, frozen=True, omit_defaults=True):
    """Numbers of Single, Double and Triple Action cards of a faction (AC-DECK-01)."""

    single: Annotated[CardCount, REQUIRED] = 5
    double: Annotated[CardCount, REQUIRED] = 3
    triple: Annotated[CardCount, REQUIRED] = 1

    def adjusted(self, by: CardMix) -> CardMix:
        """Return the mix with so many more (or fewer, never less than none) of each kind."""
        return CardMix(*(max(0, one + more) for one, more in zip(self.counts, by.counts, strict=True)))

    @property
    def counts(self) -> tuple[int, int, int]:
        """Single, Double, Triple."""
        return self.single, self.double, self.triple


class CardActions(Written, frozen=True, omit_defaults=True):
    """Actions that a card gives, by its kind (AC-ACT-01); an event card gives none."""

    single: Actions = 1
    double: Actions = 2
    triple: Actions = 3

    def of(self, kind: str) -> int:
        """Return the actions of a card of this kind."""
        return {"single": self.single, "double": self.double, "triple": self.triple}.get(kind, 0)


class Organisation(Written, frozen=True, omit_defaults=True):
    """Kind of group that a faction has beside its usual one, of a `size` and (0: the faction's) a Move of its own."""

    id: Id
    name: Key
    size: Annotated[int, Field(ge=1, le=24)]
    move: Inches = 0


class Faction(msgspec.Struct, frozen=True, omit_defaults=True):
    """Faction profile (AC-FACT-01). `size`: figures in a group; `force`: its groups, each a tuple of profile ids;
    `kinds`: the organisation of each group of the force ("": the usual one; none at all: all are); `late`: with which
    rows its last groups come on, where its role says nothing else."""

    id: str
    name: str
    size: int
    move: int
    kill: Kill
    profiles: tuple[Profile, ...]
    weapons: tuple[Weapon, ...]
    force: tuple[tuple[str, ...], ...]
    traits: tuple[str, ...] = ()
    specials: tuple[Special, ...] = ()
    cards: CardMix = CardMix()
    glyph: str = ""
    organisations: tuple[Organisation, ...] = ()
    kinds: tuple[str, ...] = ()
    late: tuple[int, ...] = ()

    def organisation(self, kind: str) -> Organisation:
        """Return the organisation of that id; the usual one for "". Raises KeyError."""
        if not kind:
            return Organisation("", self.name, self.size, self.move)
        found = {one.id: one for one in self.organisations}[kind]
        return found if found.move else msgspec.structs.replace(found, move=self.move)


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """Victory condition of a seat (AC-SCEN-01). `kind` is one that conditions.py knows:

    hold: at the end, a group of mine is in `feature` and no other faction's is; destroy: `goal` figures removed by me
    (of `seat`, -1: anybody's); survive: `goal` of my figures are left; reach: `goal` of my figures are in `zone` or
    `feature` at the end; done: the special `special` has succeeded through me; outlive: `seat` has no figures left;
    stands, falls: at the end `feature` is, or is not, what it was; together: all seats between them have succeeded
    `goal` times with `special`. `points` is what it is worth; `secret`: only its owner knows it until the end.
    """

    id: str
    kind: str
    name: str
    text: str
    points: int = 1
    feature: str = ""
    zone: str = ""
    special: str = ""
    seat: int = -1
    goal: int = 1
    secret: bool = False


class Effect(Written, frozen=True, omit_defaults=True):
    """Effect of a Special Event. `kind` is one that event_play.py carries out; docs/content.md lists which of these
    fields it reads.

    `who`: the factions that it is about, `by`: who decides ("chance": nobody), both as in event_choices.py. `groups`,
    `terrain`, `zone`: which groups or features it may fall on; `each`: on all of these, else on one; `stuns`: they take
    no action on their faction's next card. `dice`: D6 of damage; `most`: so many figures at most. While it lasts,
    `rows` rows after this one: `sight` is how far anybody sees (0: no limit), `move` percent of every Move are moved, a
    card gives `actions` more actions. A danger's circle has this `radius` and wanders `speed` a row; a monster has a
    body of radius `base`, and falls when its `kill` number has been reached `wounds` times.
    """

    kind: Id
    who: Id = "all"
    by: Id = "chance"
    groups: Id = "any"
    terrain: tuple[Id, ...] = ()
    zone: Named = ""
    each: bool = False
    stuns: bool = False
    dice: Count = 0
    most: Count = 0
    rows: Annotated[int, Field(ge=0, le=20)] = 1
    sight: Inches = 0
    move: Annotated[int, Field(ge=10, le=300)] = 100
    actions: Annotated[int, Field(ge=-2, le=3)] = 0
    radius: Inches = 0
    speed: Inches = 0
    kill: Annotated[int, Field(ge=0, le=999)] = 0
    wounds: Annotated[int, Field(ge=1, le=20)] = 1
    base: Annotated[int, WrittenAs(Inches, lambda width: width // 2)] = 0


class EventCard(Written, frozen=True, omit_defaults=True):
    """Special Event: its name, its text and its effects, in this order."""

    id: Annotated[str, KEYED]
    name: Key
    text: Words
    effects: Annotated[tuple[Effect, ...], Field(alias="effect", min_length=1, max_length=6), REQUIRED] = ()


class Zone(msgspec.Struct, frozen=True, omit_defaults=True):
    """Marked area of the table."""

    id: str
    name: str
    outline: tuple[Point, ...]


class Reserve(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reserve of a seat: its last `groups` groups come on with a row, somewhere in `start`."""

    row: int
    groups: int
    start: tuple[Point, ...]


class SeatRole(msgspec.Struct, frozen=True, omit_defaults=True):
    """Role of one seat in a scenario: its start zone, its conditions, the points that win, its cards.

    `secrets` are drawn from the scenario's secret conditions: so many are dealt to the seat, face down. `cards` stand
    in for the faction's own mix; `adjust` is added to whichever counts. `reserves` are kept back at the start.
    """

    name: str
    start: tuple[Point, ...]
    conditions: tuple[Condition, ...]
    win: int
    secrets: int = 0
    cards: CardMix | None = None
    facing: int = 0
    adjust: CardMix | None = None
    reserves: tuple[Reserve, ...] = ()


class Travel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Kinds of terrain that suit road and off-road vehicles beside open ground (AC-MOVE-03)."""

    road: tuple[str, ...] = ()
    off_road: tuple[str, ...] = ("rubble", "scrub")

    def suits(self, travel: str) -> tuple[str, ...]:
        """Return the kinds that a ground vehicle of this class may enter or cross."""
        return {"road": self.road, "off_road": self.off_road}[travel]


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True):
    """Playable scenario. `reshuffles`: at which exhaustion of the deck the game ends; `actions`: of its cards, where
    they differ from the rulebook's. `mix`: the Special Events that an event card may turn out to be; `face_down`: an
    event card is revealed only when it is turned up. `events`: names of event cards without effect, in older
    matches."""

    id: str
    name: str
    about: str
    size: Point
    features: tuple[Feature, ...]
    roles: tuple[SeatRole, ...]
    reshuffles: int
    minutes: int = 90
    ground: str = "grass"
    zones: tuple[Zone, ...] = ()
    specials: tuple[Special, ...] = ()
    secrets: tuple[Condition, ...] = ()
    events: tuple[str, ...] = ()
    actions: CardActions = CardActions()
    travel: Travel = Travel()
    mix: tuple[EventCard, ...] = ()
    face_down: bool = False
    scatter: tuple[Scatter, ...] = ()
    sides: tuple[int, ...] = ()


class Resolved(MatchContent, frozen=True, omit_defaults=True):
    """Content of one match: scenario, terrain kinds, the faction of each seat. `special_events`: the deck has them."""

    scenario: Scenario
    terrain: dict[str, Terrain]
    factions: tuple[Faction, ...]
    special_events: bool = True
