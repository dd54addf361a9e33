"""Tables that are not finished, live matches among them and seats at them, as the bounds of the server count them."""

from __future__ import annotations

from typing import Final

from protocol.ids import TableId
from server.lobby.table.table_record import FINISHED, LIVE, TableRecord
from server.runtime.bounds import Asker, Bounds

TABLES: Final = "tables"
MATCHES: Final = "matches"
SEATS: Final = "seats"


class TableBounds:
    """Counts tables, matches and seats as records change. A live match counts for the person who started it. Where
    tables and seats were taken from, and by whom a match was started, is known until a restart: from then on a live
    match counts for its owner."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._seats: dict[TableId, frozenset[str]] = {}
        self._started: set[TableId] = set()

    def open(self, table: TableRecord, asker: Asker) -> None:
        """Count a table that its owner opens. Raises Refused, which names the bound."""
        self._bounds.check(TABLES, asker)
        self._bounds.check(SEATS, asker)
        self.put(table, asker)

    def check_seat(self, asker: Asker) -> None:
        """Raise Refused where this person may not take another seat from this address."""
        self._bounds.check(SEATS, asker)

    def start(self, id: TableId, asker: Asker) -> None:
        """Count a match that this person starts. Raises Refused, which names the bound."""
        self._bounds.check(MATCHES, asker)
        self._bounds.hold(MATCHES, id, *asker)
        self._started.add(id)

    def not_started(self, id: TableId) -> None:
        """Count a match no more that could not be started."""
        self._bounds.release(MATCHES, id)
        self._started.discard(id)

    def put(self, table: TableRecord, asker: Asker | None = None) -> None:
        """Count this as the record of a table. `asker`: the one who has made it so, if a person has."""
        if table.state == FINISHED:
            self.remove(table.id)
            return
        is_new = table.id not in self._seats
        before, people = self._seats.get(table.id, frozenset()), frozenset(table.people)
        self._bounds.hold(TABLES, table.id, table.owner, asker.address if asker is not None and is_new else "")
        if table.state == LIVE and table.id not in self._started:
            self._bounds.hold(MATCHES, table.id, table.owner)
            self._started.add(table.id)
        for who in before - people:
            self._bounds.release(SEATS, _seat(table.id, who))
        for who in people - before:
            came = asker is not None and asker.person == who
            self._bounds.hold(SEATS, _seat(table.id, who), who, asker.address if asker is not None and came else "")
        self._seats[table.id] = people

    def remove(self, id: TableId) -> None:
        """Count a table no more, which is finished or gone."""
        self._bounds.release(TABLES, id)
        self.not_started(id)
        for who in self._seats.pop(id, frozenset()):
            self._bounds.release(SEATS, _seat(id, who))


def _seat(table: TableId, who: str) -> str:
    return f"{table} {who}"
