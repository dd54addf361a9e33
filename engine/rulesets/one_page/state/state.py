"""State of a battle: values only, changed by events only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from engine.core.rules.implements import implements
from engine.core.rules.memo import Memo
from engine.kit.units import ABOARD as ABOARD, GONE as GONE, TABLE as TABLE, UnitTable
from engine.rulesets.one_page.state.model import Feature, Point, Resolved
from engine.rulesets.one_page.state.profiles import Mustered, WeaponProfile
from protocol.ids import NO_GROUP, FigureId, GroupId

AWAY = "away"
"""Not deployed yet."""
RESERVE = "reserve"
JOINED = "joined"
"""A character or a second copy that is part of another unit."""


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One model. `entry`: the entry of its owner's list that it came with, `place`: its number among that entry's
    models. `spent`: ids of Limited weapons that it has used. `facing`: of a machine, in degrees."""

    id: FigureId
    owner: int
    entry: int
    place: int
    at: Point = (0, 0)
    wounds: int = 0
    facing: int = 0
    spent: tuple[str, ...] = ()


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit in play; its leader is the first of its figures. `entry`: that of the list it is, `joined`: the entries
    that are part of it; `where`: one of the words above; `vessel`: the transport it is aboard; `size`: how many models,
    or of a single model how many wounds it had at first. `shaken`: 2 until the activation that is going on is over,
    1 until the end of its next one. `effects`: of psychic powers, until the end of the round. `soak`: which models take
    wounds first where Tough and other models are mixed. `whispered`: the last round in which it was Pinned."""

    id: GroupId
    owner: int
    entry: int
    number: int
    figures: tuple[FigureId, ...]
    size: int
    where: str = AWAY
    joined: tuple[int, ...] = ()
    vessel: GroupId = NO_GROUP
    done: bool = False
    pinned: bool = False
    shaken: int = 0
    tracked: bool = False
    effects: tuple[str, ...] = ()
    soak: str = ""
    whispered: int = 0

    @property
    def in_play(self) -> bool:
        """True for a unit of its own, on the table or off it."""
        return self.where not in (JOINED, GONE)

    @property
    def leader(self) -> FigureId:
        """The leader's id: the model that the unit moves, sees and is led by."""
        return self.figures[0]


SPENT: Final = "spent"
"""The action of a unit that has nothing left to do, and whose activation its player is to end."""


class Activation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Action of the acting unit. `action`: "" until it is chosen, SPENT once nothing is left to do; `target`: the unit
    that it assaults."""

    unit: GroupId
    action: str = ""
    target: GroupId = NO_GROUP


class Blow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice results of one kind of weapon of a unit, for the table to show while a question waits."""

    unit: GroupId
    target: GroupId
    weapon: str
    kind: str
    attacks: int
    hits: int
    rending: int
    stopped: int
    blocked: int
    wounds: int


class SeatState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player: `side` of the table ("south", "north"), `dice` for powers left in this round, `tried`: powers tried in
    it; `rank`: when it ran out of units in this round, 1 first."""

    side: str = ""
    dice: int = 0
    tried: tuple[str, ...] = ()
    rank: int = 0


class Battle(msgspec.Struct, UnitTable[Unit, Figure], frozen=True, omit_defaults=True):
    """State of the whole table. Dicts are never changed in place.

    `phase`: "" before the terrain lies, then sides, deploy, scouts, reserves, battle, over. `first`: the seat that goes
    first in this round; `acting`: the seat whose turn it is; `placing`: the units that it may place now; `placed`: the
    seats that have had their turn in this phase. `blows`: of the acting unit. `ended`: why the battle is over, "" while
    it goes on.
    """

    resolved: Resolved
    seats: tuple[SeatState, ...]
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    features: tuple[Feature, ...] = ()
    phase: str = ""
    round: int = 0
    first: int = 0
    acting: int = 0
    placing: tuple[GroupId, ...] = ()
    placed: tuple[int, ...] = ()
    active: Activation | None = None
    blows: tuple[Blow, ...] = ()
    ended: str = ""

    @property
    def board(self) -> Memo:
        """Memo of what holds while units, models and terrain are as they are."""
        return self.resolved.memo.about((self.units, self.figures, self.features), Memo)

    @property
    def next_rank(self) -> int:
        """The rank of the next player who runs out of units."""
        return 1 + sum(seat.rank > 0 for seat in self.seats)

    def entry_of(self, came: Unit | Figure) -> Mustered:
        """Return the list's entry of a unit, or that a model came with."""
        return self.resolved.forces[came.owner].units[came.entry]

    def weapons_of(self, figure: Figure) -> tuple[WeaponProfile, ...]:
        """Return the weapons of a model."""
        weapons = self.resolved.forces[figure.owner].weapons
        return tuple([weapons[id] for id in self.entry_of(figure).arms[figure.place]])

    @implements("OP-GEN-02")
    def leader(self, unit: Unit) -> Figure:
        """Return the leader model of a unit."""
        return self.figures[unit.figures[0]]

    def own(self, seat: int) -> Iterator[Unit]:
        """Yield the units of a player that are still in play, on the table or off it."""
        return (unit for unit in self.units.values() if unit.owner == seat and unit.in_play)
