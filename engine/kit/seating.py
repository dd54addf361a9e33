"""Seats of a match in the order of turns, and who of them are enemies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.core.rules.sides import Sides, are_enemies

if TYPE_CHECKING:
    from engine.core.rules.memo import MatchContent


class Seated:
    """Seats in the state of a match: a second base of it. It has `seats`, one for each, and `resolved`,
    the content of the match with its `scenario` and the sides of that."""

    __slots__ = ()

    if TYPE_CHECKING:
        seats: Sequence[Any]
        resolved: MatchContent

    @property
    def sides(self) -> Sides:
        """The side of each seat, none where each stands alone."""
        content: Any = self.resolved
        sides: Sides = content.scenario.sides
        return sides

    @property
    def players(self) -> range:
        """All seats, which take turns in this order."""
        return range(len(self.seats))

    def hostile(self, one: int, other: int) -> bool:
        """Tell if two seats are enemies."""
        content: Any = self.resolved
        return are_enemies(content.scenario.sides, one, other)

    @property
    def leaders(self) -> tuple[int, int]:
        """The first seat of each of two sides."""
        return 0, self.foe(0)

    def foe(self, seat: int) -> int:
        """Return the enemy that rolls against a seat: the next in the order of turns."""
        return next(other for other in self.after(seat) if self.hostile(seat, other))

    def after(self, seat: int) -> list[int]:
        """Return all seats in the order of turns, from the one after this, which is the last."""
        return [(seat + 1 + n) % len(self.seats) for n in self.players]

    def side_by_side(self, first: int) -> list[int]:
        """Return the seats of a side, this one first, then all others."""
        order = [first, *self.after(first)[:-1]]
        return sorted(order, key=lambda seat: self.hostile(first, seat))
