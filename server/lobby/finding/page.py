"""Page of a search, encoded once for all who look at it: whole, and the change of each version."""

from __future__ import annotations

from collections.abc import Container, Sequence, Set
from typing import Any, Final

import msgspec

from protocol.ids import TableId
from protocol.wire.codec import encode
from protocol.wire.table_lists import Counts, Found, FoundChange
from server.lobby.directory import TableDirectory
from server.lobby.finding.search import Search

ROWS: Final = 50


class Page:
    """Page of a search from place `first` on. Its `version` is raised by each change; `change`: the message with that
    of the newest version."""

    def __init__(self, search: Search, first: int, directory: TableDirectory) -> None:
        self.search = search
        self.first = first
        self.version = 0
        self.change = b""
        self._directory = directory
        self._whole: bytes | None = None
        self._rows: dict[TableId, bytes] = {}
        self._counts = Counts()
        self.refresh(())

    @property
    def whole(self) -> bytes:
        """The message with the page as it stands."""
        if self._whole is None:
            self._whole = self.without(frozenset())
        return self._whole

    def without(self, hidden: Set[TableId]) -> bytes:
        """Return the message with the page, but for some tables."""
        rows = [row for id, row in self._rows.items() if id not in hidden]
        return encode(Found(_raw(rows), self._counts, self.first))

    def refresh(self, changed: Container[TableId]) -> None:
        """Take what the search has now; `changed`: tables whose rows may be other ones."""
        before, old = self._rows, self._counts
        row_of = self._directory.row
        # what has gone since the search was kept up is dropped here at once
        ids = [id for id in self.search.page(self.first, ROWS) if self.search.shows(id)]
        self._rows = {id: before[id] if id in before and id not in changed else row_of(id) for id in ids}
        self._counts = self.search.counts()
        fresh = [row for id, row in self._rows.items() if before.get(id) != row]
        gone = tuple(id for id in before if id not in self._rows)
        if fresh or gone or self._counts != old:
            self.version, self._whole = self.version + 1, None
            self.change = encode(FoundChange(self._counts, _raw(fresh), gone))


def _raw(rows: Sequence[bytes]) -> tuple[Any, ...]:
    """Return rows to be put into a message as they are encoded already."""
    return tuple(map(msgspec.Raw, rows))
