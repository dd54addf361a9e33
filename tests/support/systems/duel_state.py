"""The state, events and intents of the duel (duel.py)."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from engine.core.rules.audience import Audience, Seat, only
from engine.core.rules.events import Event
from engine.core.rules.system import Intent


class Fighter(msgspec.Struct, frozen=True):
    """A seat of the duel."""

    health: int = 10
    focus: int = 0
    hidden: str = ""
    drawn: int = 0


class DuelState(msgspec.Struct, frozen=True):
    """The duel. `turns` counts those begun; 0 before the cards are dealt."""

    fighters: tuple[Fighter, ...]
    most: int
    vote_seconds: int
    turns: int = 0
    over: bool = False

    @property
    def acting(self) -> Seat:
        """Seat whose turn it is."""
        return Seat((self.turns - 1) % len(self.fighters))

    def changed(self, seat: int, **values: Any) -> DuelState:
        """Return a copy with other values for one fighter."""
        fighters = list(self.fighters)
        fighters[seat] = msgspec.structs.replace(fighters[seat], **values)
        return msgspec.structs.replace(self, fighters=tuple(fighters))


class Resolved(msgspec.Struct, frozen=True):
    """Content of one match."""

    seats: int
    turns: int
    vote_seconds: int


class TurnBegun(Event[DuelState], frozen=True, tag="duel.turn"):
    def apply(self, state: DuelState) -> DuelState:
        return msgspec.structs.replace(state, turns=state.turns + 1)


class HiddenDealt(Event[DuelState], frozen=True, tag="duel.hidden"):
    barrier: ClassVar[str] = "cards"
    seat: int
    card: str

    def apply(self, state: DuelState) -> DuelState:
        return state.changed(self.seat, hidden=self.card)

    def audience(self) -> Audience:
        return only(Seat(self.seat))


class Drew(Event[DuelState], frozen=True, tag="duel.drew"):
    seat: int
    count: int

    def apply(self, state: DuelState) -> DuelState:
        return state.changed(self.seat, drawn=state.fighters[self.seat].drawn + self.count)


class Focused(Event[DuelState], frozen=True, tag="duel.focused"):
    seat: int

    def apply(self, state: DuelState) -> DuelState:
        return state.changed(self.seat, focus=state.fighters[self.seat].focus + 1)


class Struck(Event[DuelState], frozen=True, tag="duel.struck"):
    seat: int
    target: int
    damage: int

    def apply(self, state: DuelState) -> DuelState:
        state = state.changed(self.seat, focus=0)
        return state.changed(self.target, health=state.fighters[self.target].health - self.damage)


class Healed(Event[DuelState], frozen=True, tag="duel.healed"):
    def apply(self, state: DuelState) -> DuelState:
        for seat, fighter in enumerate(state.fighters):
            state = state.changed(seat, health=fighter.health + 1)
        return state


class DuelOver(Event[DuelState], frozen=True, tag="duel.over"):
    def apply(self, state: DuelState) -> DuelState:
        return msgspec.structs.replace(state, over=True)


class Strike(Intent, frozen=True, tag="strike"):
    target: int


class Focus(Intent, frozen=True, tag="focus"):
    pass


class Draw(Intent, frozen=True, tag="draw"):
    pass


class Parley(Intent, frozen=True, tag="parley"):
    pass


class Rest(Intent, frozen=True, tag="rest"):
    pass


class Flee(Intent, frozen=True, tag="flee"):
    """Intent left behind by a player who concedes."""


class Trip(Intent, frozen=True, tag="trip"):
    """A fault: every answer to its question, the default too, meets an exception."""


class Stumble(Intent, frozen=True, tag="stumble"):
    """A fault: raises at once."""
