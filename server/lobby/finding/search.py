"""Search over the directory: the places of all tables that pass a query, kept up by what changes."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Final

from protocol.ids import TableId
from protocol.wire.table_lists import Counts
from server.lobby.directory import Place, TableDirectory, place_of
from server.lobby.finding.query import Query
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, STATE_ORDER, TableRecord

AT_ONCE: Final = 500
"""Tables that are looked at before others may run again."""


class Search:
    """Places of the public tables that pass a query, in order, finished ones as far as they are shown."""

    def __init__(self, query: Query, directory: TableDirectory) -> None:
        self.query = query
        self._directory = directory
        self._places: list[Place] = []

    async def begin(self, since: int) -> None:
        """Look at all tables; others run meanwhile, and what changes is for the next `update`. `since`: see `trim`."""
        for number, place in enumerate(self._directory.places(since), start=1):
            record = self._directory.record(place[2])
            if record is not None and place_of(record) == place and self._has(record):
                self._places.append(place)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    def update(self, changes: Mapping[TableId, TableRecord | None]) -> None:
        """Take the changes of tables (`TableDirectory.changes`). One that is newer than them may be taken twice."""
        for id, before in changes.items():
            if before is not None:
                self._remove(place_of(before))
            record = self._directory.record(id)
            if record is not None and self._has(record):
                self._add(place_of(record))

    def trim(self, since: int) -> None:
        """Drop tables that were finished before `since` (unix seconds)."""
        places = self._places
        while places and places[-1][0] == STATE_ORDER[FINISHED] and -places[-1][1] < since:
            places.pop()

    def page(self, first: int, most: int) -> list[TableId]:
        """Return the ids of a page."""
        return [id for _, _, id in self._places[first : first + most]]

    def shows(self, id: TableId) -> bool:
        """Return True where a table is there and public now."""
        record = self._directory.record(id)
        return record is not None and not record.is_hidden

    def counts(self) -> Counts:
        """Return the numbers of the tables found."""
        ends = [bisect_right(self._places, STATE_ORDER[state], key=_state) for state in (LIVE, OPEN, FINISHED)]
        return Counts(ends[0], ends[1] - ends[0], ends[2] - ends[1])

    def _has(self, record: TableRecord) -> bool:
        return not record.is_hidden and self.query.passes(record)

    def _add(self, place: Place) -> None:
        at = bisect_left(self._places, place)
        if at == len(self._places) or self._places[at] != place:
            self._places.insert(at, place)

    def _remove(self, place: Place) -> None:
        at = bisect_left(self._places, place)
        if at < len(self._places) and self._places[at] == place:
            del self._places[at]


def _state(place: Place) -> int:
    return place[0]
