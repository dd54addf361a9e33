"""Audiences: the seats that may know of an event."""

from __future__ import annotations

from typing import Final, NewType

import msgspec

Seat = NewType("Seat", int)
"""The number of a seat, counted from 0 in the order of play."""


class Audience(msgspec.Struct, frozen=True, omit_defaults=True):
    """An audience: all (`seats` is None), these seats, or nobody yet (empty). Spectators belong to "all" only."""

    seats: tuple[int, ...] | None = None

    @property
    def public(self) -> bool:
        """True where everyone may know."""
        return self.seats is None

    def includes(self, seat: int) -> bool:
        """Tell whether a seat may know."""
        return self.seats is None or seat in self.seats


ALL: Final = Audience()
NOBODY: Final = Audience(())


def only(*seats: Seat) -> Audience:
    """Return an audience of these seats alone."""
    return Audience(tuple(sorted(seats)))
