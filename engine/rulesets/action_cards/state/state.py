"""State of the action-card skirmish: values only, changed by events only."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from engine.kit.seating import Seated
from engine.rulesets.action_cards.state.model import Condition, Faction, Point, Profile, Resolved
from protocol.ids import NO_FIGURE, FigureId, GroupId
from protocol.scene.nodes import RollId


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Figure on its base. `profile` is one of its owner's faction. `base`: figures that share one base carry the
    same non-empty name, and stand on the same point. Of a vehicle: where it looks, in degrees, and whether it is in
    the air."""

    id: FigureId
    owner: int
    profile: str
    at: Point
    base: str = ""
    facing: int = 0
    airborne: bool = False


class Group(msgspec.Struct, frozen=True, omit_defaults=True):
    """Figures that act together. `lead`: the figure that its last move was measured for; `came`: where that lead stood
    before (the way back from a charge). `stunned`: takes no action on its faction's next card. `kind`: its organisation
    ("": the faction's usual one). `dug`: it has dug itself in, and is in cover until it moves."""

    id: GroupId
    owner: int
    figures: tuple[FigureId, ...]
    number: int = 0
    lead: FigureId = NO_FIGURE
    came: Point | None = None
    stunned: bool = False
    kind: str = ""
    dug: bool = False

    def without(self, figures: Collection[FigureId]) -> Group:
        """Return the group without some figures."""
        return replace(self, figures=tuple([id for id in self.figures if id not in figures]))


class Wreck(msgspec.Struct, frozen=True, omit_defaults=True):
    """Place of a vehicle's destruction, whether in the air, and by which seat (-1: nobody)."""

    at: Point
    airborne: bool
    by: int


class Ride(msgspec.Struct, frozen=True, omit_defaults=True):
    """Group that is off the table with its figures: aboard a vehicle, or (`due`: with which row) yet to come, as its
    role's reserve `place`. `wreck`: the vehicle is gone, they have to get out."""

    group: Group
    figures: tuple[Figure, ...]
    vehicle: FigureId = NO_FIGURE
    wreck: Wreck | None = None
    due: int = 0
    place: int = 0

    def after(self, state: Skirmish, removed: tuple[FigureId, ...], by: int) -> Ride | None:
        """Return the ride once these figures, perhaps its vehicle, have been removed; None with no figure left."""
        left = tuple([figure for figure in self.figures if figure.id not in removed])
        if not left:
            return None
        group = self.group.without(removed)
        vehicle = state.figures.get(self.vehicle) if self.vehicle in removed else None
        wreck = Wreck(vehicle.at, vehicle.airborne, by) if vehicle is not None else self.wreck
        return replace(self, group=group, figures=left, wreck=wreck)


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """Card, parsed from its id (cards.py). `kind`: single, double, triple or event; `seat` is -1 for events.

    `event`: which Special Event it is, once that is known.
    """

    id: str
    kind: str
    seat: int
    state: str = "waiting"
    event: str = ""


class Strike(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice of `seat` in a close combat, named against `target`; `roll` is None where it had none to roll. `kills`:
    figures that fall to them, by seat; `wrecks`: how many of these are vehicles."""

    seat: int
    target: int
    roll: RollId | None
    total: int
    kills: dict[int, int] = {}
    wrecks: dict[int, int] = {}


class Combat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Close combat. `groups` in the order they came in; `defended`: the feature or barrier that `defender` held before
    the first contact; `begun_on`: the place in the row of the card that began it.

    `charged`: the groups that came in by a move; `paths`: theirs, from where their leads set out to where they stopped.
    `targets`: the faction that each seat named; `strikes`: the last dice rolled in it or into it; `fought`: casualties
    are off.
    """

    id: str
    groups: tuple[GroupId, ...]
    order: int
    begun_turn: int
    begun_on: int
    defended: str = ""
    defender: int = -1
    charged: tuple[GroupId, ...] = ()
    paths: dict[GroupId, tuple[Point, Point]] = {}
    targets: dict[int, int] = {}
    strikes: tuple[Strike, ...] = ()
    fought: bool = False

    def among(self, groups: Collection[GroupId]) -> Combat:
        """Return the combat with those of its groups that are among these."""
        return replace(self, groups=tuple([id for id in self.groups if id in groups]))


class Volley(msgspec.Struct, frozen=True, omit_defaults=True):
    """Shooting or event that a question interrupts: its dice, their roll and total, and their effect.

    `kind`: "shooting", or "event" where no group fires: a Special Event strikes.
    """

    kind: str
    seat: int
    target: GroupId
    groups: tuple[GroupId, ...]
    roll: RollId
    dice: int
    total: int
    kill_number: int = 0
    kills: int = 0


class Burst(msgspec.Struct, frozen=True, omit_defaults=True):
    """Blast weapon's shot while its casualties are chosen: the middle of its circle, the roll and its total, and of
    each group under it how many figures fall and at which kill number."""

    seat: int
    group: GroupId
    at: Point
    roll: RollId
    total: int
    falls: dict[GroupId, int] = {}
    numbers: dict[GroupId, int] = {}


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Action that no rule lists (AC-SPEC-02), while it is voted on."""

    seat: int
    group: GroupId
    effect: str
    words: str
    roll: bool
    about: str = ""


class Lasting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lasting effect of a Special Event: until the row of turn `until` has been played.

    `sight`: how far anybody sees (0: no limit); `move`: percent of every Move; `actions`: more on every card; `truce`:
    the seats that hold their fire at each other.
    """

    event: str
    until: int
    sight: int = 0
    move: int = 100
    actions: int = 0
    truce: tuple[int, ...] = ()


class Danger(msgspec.Struct, frozen=True, omit_defaults=True):
    """Danger on the table that belongs to nobody and hurts whoever is in its circle, until the row of turn `until` has
    been played. `speed`: how far it goes after each row, towards the nearest group.

    With a `kill` number it is a monster: `base` is the radius of its body, `wounds` are what it can still take.
    """

    id: str
    event: str
    at: Point
    radius: int
    dice: int
    until: int
    speed: int = 0
    kill: int = 0
    wounds: int = 0
    base: int = 0


class SeatState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Faction in play. `alive`: it has figures; `met`: ids of conditions met for good; `removed`: figures that it has
    removed, by owner seat (-1: monsters); `done`: successes of specials, by special id; `secrets`: condition ids dealt
    to it."""

    faction: str
    alive: bool = True
    met: tuple[str, ...] = ()
    removed: dict[int, int] = {}
    done: dict[str, int] = {}
    secrets: tuple[str, ...] = ()


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """End of the game and its reason: "clock" (the last exhaustion), "last" (one faction left), "nobody"."""

    why: str


class Skirmish(msgspec.Struct, Seated, frozen=True, omit_defaults=True):
    """State of a match. Dicts are never changed in place.

    `turn` counts rows. Of the card at `current` in the row, `left` actions are not used yet; `used` counts them by
    group; `free_moves` are moves that cost no action, by group. `reshuffled`: the deck was reshuffled while this row
    was drawn; `last_row`: the game ends when it has been played. `aboard`: groups that are in vehicles, or yet to come,
    by id; these and their figures are not among `groups` and `figures`.

    Of Special Events: `happening` is the one being carried out; `lasting` and `dangers` are what goes on; `ruined`:
    buildings of which only rubble is left (they are among `gone` too); `arrived` counts figures that came later;
    `refilled`: after how many exhaustions of the deck the discards were last put back early.
    """

    resolved: Resolved
    seats: tuple[SeatState, ...]
    figures: dict[FigureId, Figure] = {}
    groups: dict[GroupId, Group] = {}
    turn: int = 0
    row: tuple[Card, ...] = ()
    current: int = 0
    left: int = 0
    used: dict[GroupId, int] = {}
    free_moves: dict[GroupId, int] = {}
    proposed: bool = False
    discard: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    reshuffles: int = 0
    reshuffled: bool = False
    last_row: bool = False
    combats: tuple[Combat, ...] = ()
    combat_count: int = 0
    group_count: int = 0
    gone: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    markers: dict[str, str] = {}
    volley: Volley | None = None
    burst: Burst | None = None
    aboard: dict[GroupId, Ride] = {}
    proposal: Proposal | None = None
    ending: Ending | None = None
    happening: str = ""
    lasting: tuple[Lasting, ...] = ()
    dangers: tuple[Danger, ...] = ()
    danger_count: int = 0
    ruined: tuple[str, ...] = ()
    arrived: int = 0
    refilled: int = -1

    def faction(self, seat: int) -> Faction:
        """Return the faction that this seat plays."""
        return self.resolved.factions[seat]

    def profile(self, figure: Figure) -> Profile:
        """Return the profile of a figure."""
        return next(p for p in self.faction(figure.owner).profiles if p.id == figure.profile)

    def figure(self, id: FigureId) -> Figure:
        """Return a figure by id, on the table or not. Raises StopIteration."""
        found = self.figures.get(id)
        return found or next(figure for ride in self.aboard.values() for figure in ride.figures if figure.id == id)

    def side(self, seat: int) -> int:
        """Return the number of a seat's side, -1 where it stands alone."""
        return self.sides[seat] if self.sides else -1

    def riders(self, seat: int) -> tuple[FigureId, ...]:
        """Return the figures of a seat that are aboard vehicles, or yet to come."""
        return tuple([f.id for ride in self.aboard.values() if ride.group.owner == seat for f in ride.figures])

    def group_of(self, figure: FigureId) -> Group | None:
        """Return the group on the table that a figure is in; None without one."""
        return next((g for g in self.groups.values() if figure in g.figures), None)

    def condition(self, id: str) -> Condition:
        """Return a condition by id, a role's own or a secret one. Raises StopIteration."""
        scenario = self.resolved.scenario
        own = (c for role in scenario.roles for c in role.conditions)
        return next(c for c in (*scenario.secrets, *own) if c.id == id)
