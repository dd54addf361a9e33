"""Marks by which players point at the table, each shown for four seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from protocol.scene.nodes import Point
from protocol.wire.from_client import Message, PointAt
from protocol.wire.from_server import PointedAt

SHOWN: Final = 4.0
"""Seconds that a mark is shown."""
APART: Final = 1.2
"""Seconds between two marks of one's own: a little more than the server asks for, since messages bunch on their way."""
MOST: Final = 8


class PointedMark(NamedTuple):
    """Mark of a seat at a place, shown until then."""

    seat: int
    at: Point
    until: float


class PointedMarks:
    """Marks at one table. `clock` in seconds."""

    def __init__(self, say: Callable[[Message], object], clock: Callable[[], float]) -> None:
        self._say = say
        self._clock = clock
        self._marks: list[PointedMark] = []
        self._next = float("-inf")

    def point_at(self, at: Point) -> bool:
        """Point at a place for one's side; return False where the last mark is too fresh."""
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + APART
        self._say(PointAt(at=list(at)))
        return True

    def take(self, told: PointedAt) -> None:
        """Take in a mark; a newer one of a seat takes the place of its older one."""
        others = [mark for mark in self._marks if mark.seat != told.seat]
        self._marks = [*others, PointedMark(told.seat, told.at, self._clock() + SHOWN)][-MOST:]

    def tick(self) -> bool:
        """Return True if a mark has ended since it was last looked."""
        return len(self._marks) != len(self.shown())

    def shown(self) -> list[PointedMark]:
        """Return the marks that are shown now."""
        now = self._clock()
        self._marks = [mark for mark in self._marks if now < mark.until]
        return list(self._marks)

    def forget(self) -> None:
        """Forget all marks: another table is shown."""
        self._marks.clear()
