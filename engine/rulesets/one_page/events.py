"""Facts of a battle: terrain, deployment, activations, moves, blows, casualties, morale, powers, the end."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.events import Event
from engine.rulesets.one_page.model import Feature, Point
from engine.rulesets.one_page.state import (
    ABOARD,
    GONE,
    JOINED,
    RESERVE,
    TABLE,
    Activation,
    Battle,
    Blow,
    SeatState,
    Unit,
)


class Fact(Event[Battle], frozen=True):
    """Base of all facts of this system."""


class TerrainLaid(Fact, frozen=True, tag="op.terrain_laid"):
    """The terrain lies on the table."""

    features: tuple[Feature, ...]

    def apply(self, state: Battle) -> Battle:
        return replace(state, features=self.features, phase="sides")


class SidesTaken(Fact, frozen=True, tag="op.sides_taken"):
    """The winner of the roll-off has chosen a side and deploys first; the other player gets the side opposite."""

    seat: int
    side: str
    barrier = "revealed"

    def apply(self, state: Battle) -> Battle:
        other = "north" if self.side == "south" else "south"
        taken = with_seat(with_seat(state, self.seat, side=self.side), 1 - self.seat, side=other)
        return replace(taken, first=self.seat)


class PlacingBegun(Fact, frozen=True, tag="op.placing_begun"):
    """A player places these units now: `phase` is deploy, scouts or reserves."""

    seat: int
    phase: str
    units: tuple[str, ...]
    barrier = "revealed"

    def apply(self, state: Battle) -> Battle:
        placed = state.placed if state.phase == self.phase else ()
        return replace(state, phase=self.phase, acting=self.seat, placing=self.units, placed=(*placed, self.seat))


class UnitPlaced(Fact, frozen=True, tag="op.unit_placed"):
    """A unit comes on to the table, Vehicles facing so."""

    unit: str
    places: dict[str, Point]
    facing: int = 0

    def apply(self, state: Battle) -> Battle:
        stood = with_unit(state, self.unit, where=TABLE)
        figures = {
            **stood.figures,
            **{id: replace(stood.figures[id], at=at, facing=self.facing) for id, at in self.places.items()},
        }
        placing = tuple(id for id in state.placing if id != self.unit)
        return replace(stood, figures=figures, placing=placing)


class UnitKept(Fact, frozen=True, tag="op.unit_kept"):
    """A unit waits in reserve, or goes on waiting there."""

    unit: str

    def apply(self, state: Battle) -> Battle:
        placing = tuple(id for id in state.placing if id != self.unit)
        return replace(with_unit(state, self.unit, where=RESERVE), placing=placing)


class UnitJoined(Fact, frozen=True, tag="op.unit_joined"):
    """A character, or a second copy of the same unit, becomes part of a unit for the whole game."""

    unit: str
    host: str

    def apply(self, state: Battle) -> Battle:
        part, host = state.units[self.unit], state.units[self.host]
        figures = (*host.figures, *part.figures)
        joined = with_unit(state, self.unit, where=JOINED, figures=())
        grown = with_unit(joined, self.host, figures=figures, size=len(figures), joined=(*host.joined, part.entry))
        return replace(grown, placing=tuple(id for id in state.placing if id != self.unit))


class UnitBoarded(Fact, frozen=True, tag="op.unit_boarded"):
    """A unit is aboard a transport."""

    unit: str
    vessel: str

    def apply(self, state: Battle) -> Battle:
        placing = tuple(id for id in state.placing if id != self.unit)
        return replace(with_unit(state, self.unit, where=ABOARD, vessel=self.vessel), placing=placing)


class UnitLanded(Fact, frozen=True, tag="op.unit_landed"):
    """A unit gets out of its transport."""

    unit: str
    places: dict[str, Point]

    def apply(self, state: Battle) -> Battle:
        figures = {**state.figures, **{id: replace(state.figures[id], at=at) for id, at in self.places.items()}}
        return replace(with_unit(state, self.unit, where=TABLE, vessel=""), figures=figures)


class RoundStarted(Fact, frozen=True, tag="op.round_started"):
    """The next round: nobody has been activated, powers of the last one are over. `dice`: power dice by seat."""

    first: int
    dice: tuple[int, ...] = ()
    barrier = "dice"

    def apply(self, state: Battle) -> Battle:
        units = {id: replace(unit, done=False, effects=()) for id, unit in state.units.items()}
        seats = tuple(
            replace(seat, dice=self.dice[n] if self.dice else 0, tried=(), rank=0) for n, seat in enumerate(state.seats)
        )
        return replace(
            state,
            units=units,
            seats=seats,
            round=state.round + 1,
            first=self.first,
            acting=self.first,
            active=None,
            phase="reserves",
            placing=(),
            placed=(),
        )


class BattleJoined(Fact, frozen=True, tag="op.battle_joined"):
    """Whoever arrives has arrived: the players activate units in turn, this one first."""

    seat: int

    def apply(self, state: Battle) -> Battle:
        return replace(state, phase="battle", acting=self.seat, placing=(), placed=())


class Activated(Fact, frozen=True, tag="op.activated"):
    """A unit acts. `action`: "" where it is still open, as a power comes first."""

    unit: str
    action: str = ""
    target: str = ""

    def apply(self, state: Battle) -> Battle:
        return replace(state, active=Activation(self.unit, self.action, self.target), blows=())


class ActivationEnded(Fact, frozen=True, tag="op.activation_ended"):
    """A unit is done for this round: it is no longer Pinned if it sat idle, and gets over having been Shaken before."""

    unit: str
    next: int
    idle: bool = False

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        pinned = unit.pinned and not self.idle
        done = with_unit(state, self.unit, done=True, pinned=pinned, shaken=max(0, unit.shaken - 1))
        return replace(done, active=None, acting=self.next)


class RanOut(Fact, frozen=True, tag="op.ran_out"):
    """A player has no unit left to activate in this round."""

    seat: int

    def apply(self, state: Battle) -> Battle:
        rank = 1 + sum(seat.rank > 0 for seat in state.seats)
        return with_seat(state, self.seat, rank=rank)


class TurnPassed(Fact, frozen=True, tag="op.turn_passed"):
    """The other player goes on, as this one has nothing left."""

    seat: int

    def apply(self, state: Battle) -> Battle:
        return replace(state, acting=self.seat)


class UnitMoved(Fact, frozen=True, tag="op.unit_moved"):
    """A unit stands elsewhere. `way`: of its leader, from where it stood; `how`: walk, run, assault, back, in, up."""

    unit: str
    how: str
    way: tuple[Point, ...]
    places: dict[str, Point]
    facing: int = -1

    def apply(self, state: Battle) -> Battle:
        figures = dict(state.figures)
        for id, at in self.places.items():
            facing = self.facing if self.facing >= 0 else figures[id].facing
            figures[id] = replace(figures[id], at=at, facing=facing)
        return replace(state, figures=figures)


class BlowStruck(Fact, frozen=True, tag="op.blow_struck"):
    """The dice of one kind of weapon are down: casualties follow."""

    blow: Blow

    def apply(self, state: Battle) -> Battle:
        return replace(state, blows=(*state.blows, self.blow))


class WeaponSpent(Fact, frozen=True, tag="op.weapon_spent"):
    """A Limited weapon has been used."""

    figure: str
    weapon: str

    def apply(self, state: Battle) -> Battle:
        figure = state.figures[self.figure]
        spent = replace(figure, spent=(*figure.spent, self.weapon))
        return replace(state, figures={**state.figures, figure.id: spent})


class SoakChosen(Fact, frozen=True, tag="op.soak_chosen"):
    """The owner has said which models of a mixed unit take wounds first: "tough", "regular" or again nobody ("")."""

    unit: str
    soak: str

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, soak=self.soak)


class Wounded(Fact, frozen=True, tag="op.wounded"):
    """Models take wounds."""

    unit: str
    wounds: dict[str, int]

    def apply(self, state: Battle) -> Battle:
        figures = dict(state.figures)
        for id, wounds in self.wounds.items():
            figures[id] = replace(figures[id], wounds=figures[id].wounds + wounds)
        return replace(state, figures=figures)


class ModelsRemoved(Fact, frozen=True, tag="op.models_removed"):
    """Models are taken off the table. A unit without any is destroyed. `why`: killed, routed, lost or left."""

    unit: str
    figures: tuple[str, ...]
    why: str = "killed"

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        left = tuple([id for id in unit.figures if id not in self.figures])
        figures = {id: figure for id, figure in state.figures.items() if id not in self.figures}
        where = unit.where if left else GONE
        return with_unit(replace(state, figures=figures), self.unit, figures=left, where=where)


class MoraleTested(Fact, frozen=True, tag="op.morale_tested"):
    """A unit took a morale test, for losses, a melee, fear or a power."""

    unit: str
    why: str
    faces: tuple[int, ...]
    passed: bool

    def apply(self, state: Battle) -> Battle:
        return state


class Pinned(Fact, frozen=True, tag="op.pinned"):
    """A unit is Pinned: its next activation is idle."""

    unit: str

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, pinned=True, whispered=state.round)


class Rallied(Fact, frozen=True, tag="op.rallied"):
    """A unit is no longer Pinned."""

    unit: str

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, pinned=False)


class Shaken(Fact, frozen=True, tag="op.shaken"):
    """A machine's crew is Shaken for so many activations, the one that is going on included."""

    unit: str
    activations: int = 1

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, shaken=max(self.activations, state.units[self.unit].shaken))


class Tracked(Fact, frozen=True, tag="op.tracked"):
    """A machine moves no more."""

    unit: str

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, tracked=True)


class DamageRolled(Fact, frozen=True, tag="op.damage_rolled"):
    """The damage table was rolled on: from which side, with which dice, which of them counts."""

    unit: str
    side: str
    faces: tuple[int, ...]
    face: int

    def apply(self, state: Battle) -> Battle:
        return state


class PowerTried(Fact, frozen=True, tag="op.power_tried"):
    """Power dice were rolled for a power: it works, or not."""

    seat: int
    unit: str
    power: str
    target: str
    faces: tuple[int, ...]
    works: bool

    def apply(self, state: Battle) -> Battle:
        seat = state.seats[self.seat]
        return with_seat(state, self.seat, dice=seat.dice - len(self.faces), tried=(*seat.tried, self.power))


class Affected(Fact, frozen=True, tag="op.affected"):
    """A power lies on a unit until the end of the round."""

    unit: str
    effects: tuple[str, ...]

    def apply(self, state: Battle) -> Battle:
        return with_unit(state, self.unit, effects=(*state.units[self.unit].effects, *self.effects))


class MeleeFought(Fact, frozen=True, tag="op.melee_fought"):
    """A melee is over: wounds that either unit caused."""

    attacker: str
    defender: str
    caused: int
    suffered: int

    def apply(self, state: Battle) -> Battle:
        return state


class BattleEnded(Fact, frozen=True, tag="op.battle_ended"):
    """The battle is over: after the last round, or as one side has nothing left."""

    why: str
    barrier = "revealed"

    def apply(self, state: Battle) -> Battle:
        return replace(state, ended=self.why, phase="over", active=None, placing=(), blows=())


EVENTS: tuple[type[Fact], ...] = (
    TerrainLaid,
    SidesTaken,
    PlacingBegun,
    UnitPlaced,
    UnitKept,
    UnitJoined,
    UnitBoarded,
    UnitLanded,
    RoundStarted,
    BattleJoined,
    Activated,
    ActivationEnded,
    RanOut,
    TurnPassed,
    UnitMoved,
    BlowStruck,
    WeaponSpent,
    SoakChosen,
    Wounded,
    ModelsRemoved,
    MoraleTested,
    Pinned,
    Rallied,
    Shaken,
    Tracked,
    DamageRolled,
    PowerTried,
    Affected,
    MeleeFought,
    BattleEnded,
)


def with_unit(state: Battle, id: str, **changes: object) -> Battle:
    """The table with some fields of a unit changed."""
    unit: Unit = replace(state.units[id], **changes)
    return replace(state, units={**state.units, id: unit})


def with_seat(state: Battle, seat: int, **changes: object) -> Battle:
    """The table with some fields of a player's state changed."""
    seats: tuple[SeatState, ...] = (
        *state.seats[:seat],
        replace(state.seats[seat], **changes),
        *state.seats[seat + 1 :],
    )
    return replace(state, seats=seats)
