"""The wishes of a match's spectators to take over seats, in memory alone: after a restart they ask
again."""

from __future__ import annotations

from collections.abc import Set

from server.lobby.table.table_record import LIVE, TableRecord
from server.runtime.refusals import Refused


class SeatAsks:
    """Wishes of one table, by person: the number of the seat that each wishes."""

    def __init__(self) -> None:
        self._seats: dict[str, int] = {}

    def of(self, who: str) -> int:
        """Return the seat that this person wishes, -1 for none."""
        return self._seats.get(who, -1)

    @property
    def people(self) -> Set[str]:
        """The people who wish for a seat."""
        return self._seats.keys()

    def ask(self, table: TableRecord, who: str, seat: int) -> None:
        """Wish for a seat. Raises Refused."""
        if table.state != LIVE:
            raise Refused("vote/no-match")
        if table.seat_of(who) >= 0:
            raise Refused("seat-code/seated")
        if seat >= len(table.seats):
            raise Refused("table/no-seat")
        self._seats[who] = seat

    def forget(self, who: str) -> None:
        """Take the wish of this person away."""
        self._seats.pop(who, None)
