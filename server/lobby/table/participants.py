"""The connections at a table: those of players, who hold its seats, and those of spectators."""

from __future__ import annotations

from engine.core.rules.audience import Seat
from server.lobby.sessions import Session
from server.lobby.table.table_record import TableRecord


class Participants:
    """All connections in the order in which they came, kept up as they come and go and as seats change hands: every
    step asks."""

    def __init__(self, record: TableRecord) -> None:
        self._record = record
        self.all: dict[Session, None] = {}
        self.players: dict[Session, Seat] = {}
        """Those who hold a seat."""
        self.watchers: dict[Session, None] = {}
        """Those who hold none."""

    def seat_of(self, session: Session) -> Seat | None:
        """Return the seat of this connection, which may have gone; None for a spectator."""
        seat = self.players.get(session)
        return self._look_up(session) if seat is None else seat

    def _look_up(self, session: Session) -> Seat | None:
        number = self._record.seat_of(session.who)
        return Seat(number) if number >= 0 else None

    def add(self, session: Session) -> None:
        """Add a connection."""
        self.all[session] = None
        self._put(session)

    def remove(self, session: Session) -> bool:
        """Remove a connection. Return False where it was not here."""
        if session not in self.all:
            return False
        del self.all[session]
        self.players.pop(session, None)
        self.watchers.pop(session, None)
        return True

    def seated_by(self, record: TableRecord) -> None:
        """Take this record: all are sorted anew where seats have changed hands, since hundreds may look on. An
        iteration over players or watchers goes on with those that were."""
        before, self._record = self._record, record
        if record.seats is not before.seats:
            self.players, self.watchers = {}, {}
            for session in self.all:
                self._put(session)

    def _put(self, session: Session) -> None:
        seat = self._look_up(session)
        if seat is None:
            self.watchers[session] = None
        else:
            self.players[session] = seat
