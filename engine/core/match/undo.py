"""Undo: the states that the fold keeps since the last irrevocable event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

import msgspec

from engine.core.match.causes import Answered, AnyCause, Conceded, Expiry, Intended
from engine.core.rules.events import CoreEvent, Event, QuestionClosed
from engine.core.rules.record import Record

S = TypeVar("S")

EXPIRED: Final = "expired"
"""The barrier of an act that was played for a seat whose time ran out."""


class UndoPoint(msgspec.Struct, Generic[S], frozen=True):
    """A quiescent state to go back to, the version after which it held, and the act that began there: its seat (-1: it
    stands), its entries, and the states before and after it (`around`), as it was done; None where no seat acted."""

    version: int
    state: S
    record: Record
    seat: int = -1
    entries: tuple[Event[S] | CoreEvent, ...] = ()
    around: tuple[S, S] | None = None


class UndoStack(msgspec.Struct, Generic[S], frozen=True):
    """The states before each act that can be taken back; where there is none, `barrier` says why. They are acts of one
    seat, or, apart from one another, of several."""

    points: tuple[UndoPoint[S], ...] = ()
    barrier: str = "nothing"

    def refusal(self, seat: int) -> str:
        """Return the code of the reason why this seat cannot undo now, "" where it can."""
        if not self.points:
            return self.barrier
        return "" if self.depth(seat) else "another-acted"

    def depth(self, seat: int) -> int:
        """Return the number of acts that this seat can take back."""
        return sum([point.seat == seat for point in self.points]) if self.points else 0

    def newest(self, seat: int) -> UndoPoint[S]:
        """Return the state before the newest act of this seat. Raises LookupError without one."""
        return self.points[self._place(seat)]

    def without(self, seat: int) -> tuple[UndoStack[S], S, Record]:
        """Return the stack without the newest act of this seat, and the state and record without it: those before it,
        with the later acts of other seats done again. Raises LookupError without one."""
        place = self._place(seat)
        state, record = self.points[place].state, self.points[place].record
        later: list[UndoPoint[S]] = []
        for point in self.points[place + 1 :]:
            later.append(msgspec.structs.replace(point, state=state, record=record))
            for entry in point.entries:
                if isinstance(entry, CoreEvent):
                    record = entry.apply(record)
                else:
                    state = entry.apply(state)
        rest = (*self.points[:place], *later)
        return _from_the_first(rest, self.barrier if rest else "nothing"), state, record

    def after(self, act: UndoPoint[S], barrier: str, is_apart: Callable[[UndoPoint[S]], bool]) -> UndoStack[S]:
        """Return the stack after an act that met `barrier` ("" where it can be taken back). `is_apart` tells whether an
        act is apart from those of other seats (Turn.apart): it is asked only where another seat has acted, or time ran
        out."""
        if barrier and not (barrier == EXPIRED and is_apart(act)):
            return UndoStack((), barrier)
        kept = self.points
        if [point for point in kept if point.seat != act.seat]:
            kept = tuple(filter(is_apart, kept)) if is_apart(act) else ()
        if barrier:  # the acts of this seat stand; those of the others can still be taken back
            own = act.seat
            kept = tuple([_standing(point) if point.seat == own else point for point in kept])
            act = _standing(act)
        return _from_the_first((*kept, act), barrier or "nothing")

    def _place(self, seat: int) -> int:
        for place in reversed(range(len(self.points))):
            if self.points[place].seat == seat:
                return place
        raise LookupError(f"seat {seat} has nothing to take back")


def _standing(act: UndoPoint[S]) -> UndoPoint[S]:
    return msgspec.structs.replace(act, seat=-1)


def _from_the_first(points: tuple[UndoPoint[S], ...], barrier: str) -> UndoStack[S]:
    """Return a stack of the points from the first that can be taken back."""
    for first, point in enumerate(points):
        if point.seat >= 0:
            return UndoStack(points[first:], barrier)
    return UndoStack((), barrier)


def barrier_of(seat: int, cause: AnyCause, entries: Iterable[Event[S] | CoreEvent]) -> str:
    """Return why a step in an act of `seat` cannot be taken back: dice, cards, revealed, another-acted, expired; ""
    where it can."""
    for entry in entries:
        if entry.barrier:
            return entry.barrier
        if type(entry) is QuestionClosed and any(a.seat != seat or a.by_default for a in entry.answers):
            return "another-acted"
    if isinstance(cause, Expiry):
        return EXPIRED
    if isinstance(cause, Conceded):
        return "another-acted"
    if isinstance(cause, (Intended, Answered)) and cause.seat != seat:
        return "another-acted"
    return ""
