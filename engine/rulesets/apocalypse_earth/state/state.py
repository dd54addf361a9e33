"""State of a battle: values only, changed by events only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from engine.core.rules.errors import forbid
from engine.core.rules.implements import implements
from engine.core.rules.memo import Memo
from engine.core.rules.sides import allies_of, are_enemies, side_of
from engine.kit.units import ABOARD as ABOARD, GONE as GONE, TABLE as TABLE, UnitTable
from engine.rulesets.apocalypse_earth.state.lasting import (
    AidPost,
    Blaze,
    Burst,
    Cloud,
    Combat,
    Effect,
    LostGun,
    March,
    Mission,
    Prisoners,
    Shot,
    Wounded,
    Wreckage,
)
from engine.rulesets.apocalypse_earth.state.model import Feature, Point, Resolved
from engine.rulesets.apocalypse_earth.state.profiles import RADIO, FigureProfile, Profile, UnitProfile, Weapon
from protocol.ids import NO_GROUP, FigureId, GroupId

AWAY: Final = "away"
"""Not on the table yet."""
COMING: Final = "coming"
"""Left without room at deployment: it comes in through its own edge."""
DESTROYED: Final = "destroyed"
CAPTURED: Final = "captured"
LEFT: Final = "left"
"""Fates of a unit that is gone."""

NOWHERE: Final[Point] = (-1, -1)
"""The place of a hidden figure, to all but its side."""
NOBODY: Final = -1
"""The seat to which a casualty is owed that nobody caused."""

DEPLOY: Final = "deploy"
INFILTRATE: Final = "infiltrate"
BATTLE: Final = "battle"
ADMINISTRATION: Final = "administration"
ENDED: Final = "ended"
"""Phases of a match, after the set-up of the table ("")."""

MOVE, POWERS, FIRE, CLOSE, OVER, SPENT = range(6)
"""Steps of a unit's action (AE-TURN-02); the last: it is over, and waits for its player to end it."""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure, or a vehicle. `entry`: the entry of its owner's list that it came with, `place`: its number among
    that entry's figures; `facing`: of a vehicle, in degrees; `shaken`: suppressed on its own; `spent`: ids of weapons
    that it has used up or lost; `gun`: the weapon with a crew that it has taken over; `shot`: the last turn in which it
    fired, `tended`: in which, as a medic, it helped somebody; `unarmed`: it has been a prisoner; `stunned`: actions of
    its unit in which it does not fire; `radio`: the turn from which it works a set that it has taken up."""

    id: FigureId
    owner: int
    entry: int
    place: int
    at: Point = (0, 0)
    facing: int = 0
    shaken: bool = False
    spent: tuple[str, ...] = ()
    gun: str = ""
    shot: int = 0
    tended: int = 0
    unarmed: bool = False
    stunned: int = 0
    radio: int = 0


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit; its figures by number, of which the first leads. `size`: its figures at first; `strength`: at the start
    of this turn; `lost`: casualties of this turn; `hurt`: the seats that its casualties, or a vehicle's penetrations,
    are owed to; `taken`: points of those of its figures who are prisoners; `fate`: how it went, `captor`: the seat that
    it surrendered to. This turn it has `acted`, `fired`, `tried` to rally, been `shot` at from afar while suppressed;
    `moved`: since the start of its last action. `led`: by the leader that it came with. `team`: its number among the
    fireteams into which its entry was split, -1 where it is whole."""

    id: GroupId
    owner: int
    entry: int
    number: int
    figures: tuple[FigureId, ...]
    size: int
    team: int = -1
    strength: int = 0
    where: str = AWAY
    fate: str = ""
    captor: int = NOBODY
    vessel: GroupId = NO_GROUP
    hidden: bool = False
    acted: bool = False
    fired: bool = False
    moved: bool = False
    overwatch: bool = False
    suppressed: bool = False
    tried: bool = False
    shot: bool = False
    led: bool = True
    lost: int = 0
    hurt: tuple[int, ...] = ()
    taken: int = 0
    effects: tuple[Effect, ...] = ()
    hull: Wreckage = Wreckage()

    @property
    def leader(self) -> FigureId:
        """The leader's id: the living figure with the lowest number."""
        return self.figures[0]


class Activation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The action that is going on. `step`: the first of its steps that is still open; `spent`: by figure what its way
    cost; `aimed`: shots that are declared and not fired yet; `landed`: it has got out of a vehicle in this
    action; `busy`: figures that do something else in place of firing, `cast`: psychics who have tried a power;
    `carried`: it has carried a man down."""

    unit: GroupId
    step: int = MOVE
    spent: dict[FigureId, int] = {}
    aimed: tuple[Shot, ...] = ()
    landed: bool = False
    busy: tuple[FigureId, ...] = ()
    cast: tuple[FigureId, ...] = ()
    carried: bool = False


class SeatState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: the number of its zone (-1 before it has one), whether it has conceded, passed for now (`skipped`) or for
    the rest of the turn (`resting`); `powers`: ids of those that it has tried this turn."""

    zone: int = -1
    conceded: bool = False
    skipped: bool = False
    resting: bool = False
    powers: tuple[str, ...] = ()


class Earned(msgspec.Struct, frozen=True):
    """Points that a side has earned for good, for an objective or a prize of the scenario."""

    side: int
    what: str
    points: int


class Battle(msgspec.Struct, UnitTable[Unit, Figure], frozen=True, omit_defaults=True):
    """State of the whole table. Dicts are never changed in place.

    `phase`: "" before the terrain lies, then one of those above. `order`: the sides in the order of play; `last`: by
    side the seat that acted last; `acting`: the seat whose turn it is; `alarmed`: the side that was asleep has noticed
    the enemy. `placing`: the units that the acting seat may deploy now, `placed`: the seats that have. `breaches`: by
    building the penetrations by weapons of high calibre. `support`: the cards left by seat, "" where their kind is not
    known; `shelled`: points that artillery was called on, this turn and the last, each with its turn. `radio_sets`: by
    unit where the set of a fallen operator lies; `guns`: those of lost gunners. `air`: by side its total for air
    superiority. `ended`: why the battle is over, "" while it goes on."""

    resolved: Resolved
    seats: tuple[SeatState, ...]
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    features: tuple[Feature, ...] = ()
    phase: str = ""
    turn: int = 0
    order: tuple[int, ...] = ()
    last: dict[int, int] = {}
    acting: int = 0
    alarmed: bool = False
    placing: tuple[GroupId, ...] = ()
    placed: tuple[int, ...] = ()
    active: Activation | None = None
    march: March | None = None
    replies: tuple[GroupId, ...] = ()
    combats: tuple[Combat, ...] = ()
    fires: tuple[Blaze, ...] = ()
    breaches: dict[str, int] = {}
    clouds: tuple[Cloud, ...] = ()
    bursts: tuple[Burst, ...] = ()
    missions: tuple[Mission, ...] = ()
    shelled: tuple[tuple[int, Point], ...] = ()
    radio_sets: dict[GroupId, Point] = {}
    guns: tuple[LostGun, ...] = ()
    prisoners: tuple[Prisoners, ...] = ()
    wounded: tuple[Wounded, ...] = ()
    posts: dict[int, AidPost] = {}
    support: tuple[tuple[str, ...], ...] = ()
    air: dict[int, int] = {}
    earned: tuple[Earned, ...] = ()
    ended: str = ""

    @property
    def busy(self) -> tuple[FigureId, ...]:
        """Figures that do something else in place of firing in this action."""
        return self.active.busy if self.active is not None else ()

    @property
    def board(self) -> Memo:
        """Memo of what holds while units, figures, terrain, fires and smoke are as they are."""
        return self.resolved.memo.about((self.units, self.figures, self.features, self.fires, self.clouds), Memo)

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return side_of(self.sides, seat)

    def seats_of(self, side: int) -> list[int]:
        """Return the seats of a side."""
        return [seat for seat in self.players if self.side(seat) == side]

    @implements("AE-GEN-02", "AE-SEAT-01")
    def hostile(self, one: int, other: int) -> bool:
        """Tell if two seats are enemies."""
        return are_enemies(self.sides, one, other)

    def profile(self, unit: Unit) -> Profile:
        """Return the profile of a unit or vehicle."""
        whole = self.resolved.forces[unit.owner].units[unit.entry]
        if unit.team < 0 or not isinstance(whole, UnitProfile):
            return whole
        return self.resolved.memo.get(("team", unit.team), (whole,), whole.team, unit.team)

    def figure_profile(self, figure: Figure) -> FigureProfile | None:
        """Return the profile of a figure; None of a vehicle."""
        whole = self.resolved.forces[figure.owner].units[figure.entry]
        return whole.figures[figure.place] if isinstance(whole, UnitProfile) else None

    def points_of(self, figure: Figure) -> int:
        """Return the price of a figure; 0 of a vehicle, which is paid as a unit."""
        own = self.figure_profile(figure)
        return own.points if own is not None else 0

    def works_radio(self, figure: Figure) -> bool:
        """Tell if a figure has a radio set, of its own or taken up."""
        own = self.figure_profile(figure)
        return figure.radio > 0 or (own is not None and own.has(RADIO))

    def weapons_of(self, figure: Figure) -> list[Weapon]:
        """Return the weapons that a figure or vehicle still has, in the order of its profile."""
        whole = self.resolved.forces[figure.owner].units[figure.entry]
        own = whole.figures[figure.place].weapons if isinstance(whole, UnitProfile) else whole.weapons
        carried = (*own, figure.gun) if figure.gun else own
        return [self.resolved.weapons[id] for id in carried if id not in figure.spent]

    def spent_by(self, unit: Unit) -> Mapping[FigureId, int]:
        """Return what figures of a unit have spent of their movement in its action; of one that does not act, none."""
        return self.active.spent if self.active is not None and self.acts == unit.id else {}

    def guns_of(self, figure: Figure) -> list[Weapon]:
        """Return the weapons with a crew that a figure still has."""
        return [weapon for weapon in self.weapons_of(figure) if weapon.crew]

    def own(self, seat: int) -> Iterator[Unit]:
        """Yield the units of a seat that are still in play, on the table or off it."""
        return (unit for unit in self.units.values() if unit.owner == seat and unit.where != GONE)

    def seen(self, seat: int) -> Iterator[Unit]:
        """Yield the units on the table whose places a seat knows: all but hidden ones of the enemy."""
        own = allies_of(self.sides, seat)
        return (u for u in self.units.values() if u.where == TABLE and (not u.hidden or u.owner in own))

    def enemies(self, seat: int) -> list[Unit]:
        """Return the enemy's units on the table that are not hidden."""
        own = allies_of(self.sides, seat)
        return [u for u in self.units.values() if u.where == TABLE and not u.hidden and u.owner not in own]

    def check_foe(self, seat: int, id: GroupId, code: str) -> Unit:
        """Return an enemy's unit on the table that is not hidden. Raises IllegalIntent, with this code."""
        unit = super().check_foe(seat, id, code)
        forbid(unit.hidden, code)
        return unit

    def friends(self, seat: int) -> list[Unit]:
        """Return the units of a seat's side on the table."""
        own = allies_of(self.sides, seat)
        return [u for u in self.units.values() if u.where == TABLE and u.owner in own]

    def combat_of(self, unit: GroupId) -> Combat | None:
        """Return the combat that a unit is engaged in, None where it is in none."""
        return next((combat for combat in self.combats if unit in combat.units), None)

    def combat(self, number: int) -> Combat:
        """Return a combat by its number."""
        return next(combat for combat in self.combats if combat.number == number)

    def unit_of(self, figure: FigureId) -> Unit:
        """Return the unit of a living figure. KeyError for one that is gone."""
        return self.units[self.board.get("units by figure", (), self._by_figure)[figure]]

    def _by_figure(self) -> dict[FigureId, GroupId]:
        return {figure: unit.id for unit in self.units.values() for figure in unit.figures}

    def in_order(self) -> list[Unit]:
        """Return all units in the order in which things happen at once: by side in the order of play, seat, number."""
        place = {side: n for n, side in enumerate(self.order)}
        return sorted(self.units.values(), key=lambda unit: (place.get(self.side(unit.owner), 0), unit.owner))
