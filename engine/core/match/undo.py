"""Undo: the states that the fold keeps since the last irrevocable event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from engine.core.match.causes import Answered, AnyCause, Conceded, Expiry, Intended
from engine.core.rules.events import CoreEvent, Event, QuestionClosed
from engine.core.rules.record import Record

S = TypeVar("S")


class UndoPoint(msgspec.Struct, Generic[S], frozen=True):
    """A quiescent state to go back to, and the version after which it held."""

    version: int
    state: S
    record: Record


class UndoStack(msgspec.Struct, Generic[S], frozen=True):
    """The states before each act of `seat` that can be taken back; where there is none, `barrier` says why."""

    seat: int = -1
    points: tuple[UndoPoint[S], ...] = ()
    barrier: str = "nothing"

    def refusal(self, seat: int) -> str:
        """Return the code of the reason why this seat cannot undo now, "" where it can."""
        if self.points:
            return "" if seat == self.seat else "another-acted"
        return self.barrier

    def pop(self) -> UndoStack[S]:
        """Return the stack without the newest state."""
        rest = self.points[:-1]
        return UndoStack(self.seat, rest, self.barrier if rest else "nothing")

    def after(self, before: UndoPoint[S], seat: int, barrier: str) -> UndoStack[S]:
        """Return the stack after an act of `seat` that began in `before` and met `barrier` ("" where it can be taken
        back)."""
        if barrier:
            return UndoStack(-1, (), barrier)
        points = self.points if self.seat == seat else ()
        return UndoStack(seat, (*points, before), "nothing")


def barrier_of(seat: int, cause: AnyCause, entries: Iterable[Event[S] | CoreEvent]) -> str:
    """Return why a step in an act of `seat` cannot be taken back: dice, cards, revealed, another-acted, expired; ""
    where it can."""
    for entry in entries:
        if entry.barrier:
            return entry.barrier
        if type(entry) is QuestionClosed and any(a.seat != seat or a.by_default for a in entry.answers):
            return "another-acted"
    if isinstance(cause, Expiry):
        return "expired"
    if isinstance(cause, Conceded):
        return "another-acted"
    if isinstance(cause, (Intended, Answered)) and cause.seat != seat:
        return "another-acted"
    return ""
