"""Who is connected to a table: those who hold its seats, and those who look on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from engine.core.audience import Seat

if TYPE_CHECKING:
    from server.sessions import Session
    from server.tables import TableRecord


class People:
    """All in the order in which they came. `record`: the table as it is now."""

    def __init__(self, record: Callable[[], TableRecord]) -> None:
        self.all: dict[Session, None] = {}
        self._record = record
        self._seats: object = None
        self._players: dict[Session, Seat] = {}
        self._watchers: dict[Session, None] = {}

    def seat_of(self, session: Session) -> Seat | None:
        """The seat of this connection, None where it watches."""
        seat = self.players.get(session)
        return self._look_up(session) if seat is None else seat

    def _look_up(self, session: Session) -> Seat | None:
        number = self._record().seat_of(session.who)
        return Seat(number) if number >= 0 else None

    @property
    def players(self) -> Mapping[Session, Seat]:
        """Those who hold a seat."""
        self._sort()
        return self._players

    @property
    def watchers(self) -> Collection[Session]:
        """Those who hold none."""
        self._sort()
        return self._watchers

    def add(self, session: Session) -> None:
        """One has come."""
        self._sort()
        self.all[session] = None
        self._put(session)

    def remove(self, session: Session) -> bool:
        """One goes: whether it was here."""
        if session not in self.all:
            return False
        del self.all[session]
        self._players.pop(session, None)
        self._watchers.pop(session, None)
        return True

    def _sort(self) -> None:
        """Anew only where seats have changed hands: hundreds may look on."""
        seats = self._record().seats
        if self._seats is not seats:
            self._seats, self._players, self._watchers = seats, {}, {}
            for session in self.all:
                self._put(session)

    def _put(self, session: Session) -> None:
        seat = self._look_up(session)
        if seat is None:
            self._watchers[session] = None
        else:
            self._players[session] = seat
