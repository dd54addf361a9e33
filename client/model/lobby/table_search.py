"""Search of the server's tables: its filters and its page, asked for again wherever they must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from client.model.lobby.pages import page_start
from protocol.wire.found_tables import FoundTables
from protocol.wire.from_client import FindTables, ListTables, Message

PAGE: Final = 50
"""Rows of a page."""


class TableSearch:
    """Search of one session. `say` sends a message; `found`: what has come of it."""

    def __init__(self, say: Callable[[Message], object], found: FoundTables) -> None:
        self._say = say
        self.found = found
        self.asked = FindTables()
        self.is_known = False
        """True where the server finds tables by filters."""

    def begin(self, *, is_known: bool, is_at_table: bool) -> None:
        """Begin on a new link: who is at a table looks at that first."""
        self.is_known = is_known
        if is_known and not is_at_table:
            self.ask()

    def ask(self) -> None:
        """Ask for the tables, and to have them kept up."""
        self._say(self.asked if self.is_known else ListTables())

    def narrow(self, **filters: Any) -> None:
        """Change these filters, and look at the first page."""
        self.asked = replace(self.asked, first=0, **filters)
        self.ask()

    def clear(self) -> None:
        """Drop all filters."""
        self.asked = FindTables()
        self.ask()

    def turn(self, first: int) -> None:
        """Look at the page from this place on."""
        self.asked = replace(self.asked, first=max(first, 0))
        self.ask()

    def heed(self) -> None:
        """Look at the last page where the tables have become fewer than the place that is looked at."""
        counts, first = self.found.counts, self.asked.first
        if counts is None or self.found.page or self.found.first != first:
            return
        start = page_start(first, counts.total, PAGE, is_empty=True)
        if start != first:
            self.turn(start)

    @property
    def is_filtered(self) -> bool:
        """True where some tables are left out."""
        return replace(self.asked, first=0) != FindTables()
