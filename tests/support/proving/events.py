"""Events and intents."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from engine.core.rules.audience import Audience, Seat, only
from engine.core.rules.events import Event
from engine.core.rules.system import Intent
from protocol.scene.grid import Cell
from protocol.scene.nodes import Point, RollId
from tests.support.proving.state import ACTS, Activation, Field, Reaction, Unit


class SetOut(Event[Field], frozen=True, tag="pv.set-out"):
    """Placing of the units in the open at home; smoke is handed out."""

    units: tuple[Unit, ...]

    def apply(self, state: Field) -> Field:
        hands: tuple[tuple[str, ...], ...] = ((),) * state.seats
        charges: tuple[int, ...] = (2,) * state.seats
        flags: tuple[tuple[Point, ...], ...] = ((),) * state.seats
        return msgspec.structs.replace(state, units=self.units, hands=hands, charges=charges, flags=flags)


class WentDark(Event[Field], frozen=True, tag="pv.went-dark"):
    """Placing of a unit in the dark, as all know it."""

    unit: Unit

    def apply(self, state: Field) -> Field:
        return msgspec.structs.replace(state, units=(*state.units, self.unit))


class Deployed(Event[Field], frozen=True, tag="pv.deployed"):
    """Place of a unit in the dark, as its owner knows it."""

    unit: Unit

    def apply(self, state: Field) -> Field:
        units = tuple(self.unit if unit.id == self.unit.id else unit for unit in state.units)
        return msgspec.structs.replace(state, units=units)

    def audience(self) -> Audience:
        return only(Seat(self.unit.owner))


class TurnBegun(Event[Field], frozen=True, tag="pv.turn"):
    """Start of the next seat's turn: its units are fresh."""

    def apply(self, state: Field) -> Field:
        state = msgspec.structs.replace(state, turn=state.turn + 1, acts=ACTS)
        fresh = tuple(msgspec.structs.replace(u, spent=False, crept=False) for u in state.units)
        return msgspec.structs.replace(state, units=fresh)


class Shifted(Event[Field], frozen=True, tag="pv.shifted"):
    """Move of a unit to another cell, without an activation; it does so once while its player prepares."""

    unit: int
    cell: Cell

    def apply(self, state: Field) -> Field:
        return state.with_unit(self.unit, cell=self.cell, spent=True)


class Readied(Event[Field], frozen=True, tag="pv.ready"):
    seat: int

    def apply(self, state: Field) -> Field:
        return msgspec.structs.replace(state, ready=tuple(sorted((*state.ready, self.seat))))


class Prepared(Event[Field], frozen=True, tag="pv.prepared"):
    """End of the time to prepare: all are ready."""

    def apply(self, state: Field) -> Field:
        return msgspec.structs.replace(state, preparing=False, ready=())


class Turned(Event[Field], frozen=True, tag="pv.turned"):
    unit: int
    facing: int

    def apply(self, state: Field) -> Field:
        return state.with_unit(self.unit, facing=self.facing)


class Crept(Event[Field], frozen=True, tag="pv.crept"):
    """Move of a hidden unit, known to its owner alone."""

    unit: int
    seat: int
    cell: Cell

    def apply(self, state: Field) -> Field:
        return state.with_unit(self.unit, cell=self.cell, crept=True)

    def audience(self) -> Audience:
        return only(Seat(self.seat))


class WatchBegun(Event[Field], frozen=True, tag="pv.watch"):
    unit: int

    def apply(self, state: Field) -> Field:
        state = msgspec.structs.replace(state, acts=state.acts - 1)
        return state.with_unit(self.unit, watching=True, spent=True)


class WatchEnded(Event[Field], frozen=True, tag="pv.off-watch"):
    unit: int

    def apply(self, state: Field) -> Field:
        return state.with_unit(self.unit, watching=False)


class SmokeLaid(Event[Field], frozen=True, tag="pv.smoke"):
    seat: int
    at: Point

    def apply(self, state: Field) -> Field:
        charges = tuple(count - (seat == self.seat) for seat, count in enumerate(state.charges))
        return msgspec.structs.replace(state, smoke=(*state.smoke, self.at)[-3:], charges=charges)


class FlagsSet(Event[Field], frozen=True, tag="pv.flags"):
    """Setting of a seat's flags, all at once."""

    seat: int
    places: tuple[Point, ...]

    def apply(self, state: Field) -> Field:
        flags = tuple(self.places if seat == self.seat else old for seat, old in enumerate(state.flags))
        return msgspec.structs.replace(state, flags=flags)


class Declared(Event[Field], frozen=True, tag="pv.declared"):
    unit: int
    path: tuple[Cell, ...]

    def apply(self, state: Field) -> Field:
        state = msgspec.structs.replace(state, activation=Activation(self.unit, self.path), acts=state.acts - 1)
        return state.with_unit(self.unit, spent=True, watching=False)


class Revealed(Event[Field], frozen=True, tag="pv.revealed"):
    """Revealing of a hidden unit under a new public name."""

    barrier: ClassVar[str] = "revealed"
    unit: int
    shown: str

    def apply(self, state: Field) -> Field:
        state = msgspec.structs.replace(state, reveals=state.reveals + 1)
        return state.with_unit(self.unit, shown=self.shown)


class Reacting(Event[Field], frozen=True, tag="pv.reacting"):
    unit: int
    at: int

    def apply(self, state: Field) -> Field:
        assert state.activation is not None
        state = state.in_activation(reactions=(*state.activation.reactions, Reaction(self.unit, self.at)))
        return state.with_unit(self.unit, spent=True)


class Ordered(Event[Field], frozen=True, tag="pv.ordered"):
    units: tuple[int, ...]

    def apply(self, state: Field) -> Field:
        assert state.activation is not None
        by_unit = {reaction.unit: reaction for reaction in state.activation.reactions}
        return state.in_activation(reactions=tuple(by_unit[unit] for unit in self.units))


class Tested(Event[Field], frozen=True, tag="pv.tested"):
    unit: int
    won: bool

    def apply(self, state: Field) -> Field:
        return state.with_reaction(self.unit, tested=True, won=self.won)


class HandGrew(Event[Field], frozen=True, tag="pv.hand"):
    """Taking of a card, as all know it: its face is down."""

    barrier: ClassVar[str] = "cards"
    seat: int

    def apply(self, state: Field) -> Field:
        hands = tuple((*hand, "") if seat == self.seat else hand for seat, hand in enumerate(state.hands))
        return state.with_hands(hands)


class CardTaken(Event[Field], frozen=True, tag="pv.card"):
    """Face of the card taken last, as its holder knows it."""

    barrier: ClassVar[str] = "cards"
    seat: int
    card: str

    def apply(self, state: Field) -> Field:
        hands = tuple((*hand[:-1], self.card) if seat == self.seat else hand for seat, hand in enumerate(state.hands))
        return state.with_hands(hands)

    def audience(self) -> Audience:
        return only(Seat(self.seat))


class CardPlayed(Event[Field], frozen=True, tag="pv.played"):
    barrier: ClassVar[str] = "revealed"
    seat: int
    card: str

    def apply(self, state: Field) -> Field:
        hand = list(state.hands[self.seat])
        hand.remove(self.card)
        hands = (*state.hands[: self.seat], tuple(hand), *state.hands[self.seat + 1 :])
        return msgspec.structs.replace(state, hands=hands)


class Moved(Event[Field], frozen=True, tag="pv.moved"):
    """Move of one cell along the declared path."""

    unit: int
    cell: Cell

    def apply(self, state: Field) -> Field:
        assert state.activation is not None
        return state.in_activation(at=state.activation.at + 1).with_unit(self.unit, cell=self.cell)


class Fired(Event[Field], frozen=True, tag="pv.fired"):
    """Fire. `roll` is None where smoke left no die to roll."""

    unit: int
    target: int
    hits: int
    roll: RollId | None

    def apply(self, state: Field) -> Field:
        target = state.unit(self.target)
        return state.with_unit(self.target, strength=max(target.strength - self.hits, 0)) if target else state


class Destroyed(Event[Field], frozen=True, tag="pv.destroyed"):
    unit: int

    def apply(self, state: Field) -> Field:
        return msgspec.structs.replace(state, units=tuple(u for u in state.units if u.id != self.unit))


class Broken(Event[Field], frozen=True, tag="pv.broken"):
    """End of the active unit's activation, as its nerve failed or it is gone."""

    def apply(self, state: Field) -> Field:
        return state.in_activation(broken=True)


class FellBack(Event[Field], frozen=True, tag="pv.fell-back"):
    """Move of a broken unit to a cell that its player chose."""

    unit: int
    cell: Cell
    facing: int

    def apply(self, state: Field) -> Field:
        return state.with_unit(self.unit, cell=self.cell, facing=self.facing)


class Answered(Event[Field], frozen=True, tag="pv.answered"):
    """Firing of a declared reaction."""

    unit: int

    def apply(self, state: Field) -> Field:
        return _without(state, self.unit)


class Lapsed(Event[Field], frozen=True, tag="pv.lapsed"):
    """Lapse of a declared reaction: the firer or the target is gone or out of range."""

    unit: int

    def apply(self, state: Field) -> Field:
        return _without(state, self.unit)


class Completed(Event[Field], frozen=True, tag="pv.completed"):
    def apply(self, state: Field) -> Field:
        return msgspec.structs.replace(state, activation=None)


class Over(Event[Field], frozen=True, tag="pv.over"):
    def apply(self, state: Field) -> Field:
        return msgspec.structs.replace(state, over=True)


def _without(state: Field, unit: int) -> Field:
    assert state.activation is not None
    return state.in_activation(reactions=tuple(r for r in state.activation.reactions if r.unit != unit))


EVENTS: tuple[type[Event[Field]], ...] = (
    *(SetOut, Deployed, TurnBegun, Turned, Crept, WatchBegun, WatchEnded, SmokeLaid, FlagsSet, Declared, Revealed),
    *(Reacting, Ordered, Tested, CardTaken, CardPlayed, Moved, Fired, Destroyed, Broken, Answered, Lapsed),
    *(Completed, Over, FellBack, WentDark, HandGrew, Shifted, Readied, Prepared),
)


class Advance(Intent, frozen=True, tag="advance"):
    unit: int
    goal: Cell
    facing: int


class March(Intent, frozen=True, tag="march"):
    unit: int
    corners: tuple[Cell, ...]


class SetFlags(Intent, frozen=True, tag="flags"):
    places: tuple[Point, ...]


class Creep(Intent, frozen=True, tag="creep"):
    unit: int
    cell: Cell


class Watch(Intent, frozen=True, tag="watch"):
    unit: int


class Face(Intent, frozen=True, tag="face"):
    unit: int
    facing: int


class LaySmoke(Intent, frozen=True, tag="smoke"):
    at: Point


class Shift(Intent, frozen=True, tag="shift"):
    unit: int
    cell: Cell


class Ready(Intent, frozen=True, tag="ready"):
    pass


class EndTurn(Intent, frozen=True, tag="end"):
    pass


INTENTS: tuple[type[Intent], ...] = (Shift, Ready, Advance, March, Creep, Watch, Face, LaySmoke, SetFlags, EndTurn)
