"""Query for tables: the filters of a search, and the tables that pass them."""

from __future__ import annotations

from typing import NamedTuple

from protocol.wire.from_client import FindTables
from server.lobby.table.table_names import title_of
from server.lobby.table.table_record import LIVE, OPEN, TableRecord


class Query(NamedTuple):
    """Filters of a search; those that are None, and no words, pass every table. `words`: casefolded."""

    words: tuple[str, ...] = ()
    state: str | None = None
    system: str | None = None
    seats: int | None = None
    free: int | None = None
    rated: bool | None = None
    mail: bool | None = None
    language: str | None = None

    @classmethod
    def of(cls, asked: FindTables) -> Query:
        """Return the filters of a request; the same ones are equal, however their words were written."""
        words = tuple(sorted(set(asked.words.casefold().split())))
        plain = (asked.state, asked.system, asked.seats, asked.free, asked.rated, asked.mail, asked.language)
        return cls(words, *plain)

    def passes(self, table: TableRecord) -> bool:
        """Return True where a table passes all filters."""
        return (
            (self.state is None or table.state == self.state)
            and (self.system is None or table.system == self.system)
            and (self.seats is None or len(table.seats) == self.seats)
            and (self.mail is None or table.mail == self.mail)
            and (self.language is None or table.language == self.language)
            and (self.free is None or free_seats(table) >= self.free)
            and (self.rated is None or table.may_rate == self.rated)
            and (not self.words or self._has_words(table))
        )

    def _has_words(self, table: TableRecord) -> bool:
        names = "\n".join((title_of(table), *[seat.name for seat in table.seats])).casefold()
        return all(word in names for word in self.words)


EVERYTHING = Query()
"""The query without filters."""


def free_seats(table: TableRecord) -> int:
    """Return the number of seats that somebody may take now: those of nobody before the start, in a live match those of
    bots where late players are let in."""
    if table.state == OPEN:
        return sum(seat.open for seat in table.seats)
    return table.bot_seats if table.state == LIVE and table.late else 0
