"""Tables that one looks at, put together from a page, its changes, and one's own games."""

from __future__ import annotations

from typing import Final

from protocol.ids import TableId
from protocol.wire.table_lists import Counts, Found, FoundChange, Lobby, MyGames, TableRow

STATE_ORDER: Final = {"live": 0, "open": 1, "finished": 2}
"""Places of the states in lists of tables."""


class FoundTables:
    """The newest page as it stands, and one's own games."""

    def __init__(self) -> None:
        self.counts: Counts | None = None
        """Numbers of what was found; None before the first page has come."""
        self.first = 0
        self.mine: tuple[TableRow, ...] = ()
        self._page: dict[TableId, TableRow] = {}

    def begin(self) -> None:
        """Begin on a new link, where one's own games are told only if there are any."""
        self.mine = ()

    @property
    def page(self) -> tuple[TableRow, ...]:
        """Rows of the page, in their order."""
        return tuple(sorted(self._page.values(), key=_place))

    @property
    def lobby(self) -> Lobby:
        """Own games, and what else stands on the page."""
        own = {row.id for row in self.mine}
        return Lobby((*self.mine, *[row for row in self.page if row.id not in own]))

    def take(self, message: Found | FoundChange | MyGames) -> None:
        """Take a page, a change of it, or the own games."""
        match message:
            case MyGames():
                self.mine = message.rows
            case Found():
                self.counts, self.first = message.counts, message.first
                self._page = {row.id: row for row in message.rows}
            case FoundChange():
                self.counts = message.counts
                for gone in message.gone:
                    self._page.pop(gone, None)
                self._page.update((row.id, row) for row in message.rows)


def _place(row: TableRow) -> tuple[int, int, TableId]:
    return STATE_ORDER.get(row.state, len(STATE_ORDER)), -row.when, row.id
