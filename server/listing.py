"""The lobby's list of tables for many viewers: kept up as tables change, so that it costs what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from server.tables import FINISHED, LIVE, OPEN
from server.views import is_old, may_see, table_row

if TYPE_CHECKING:
    from engine.core.system import ScenarioInfo
    from protocol.from_server import TableRow
    from server.tables import TableRecord

ROWS: Final = 100
_ORDER: Final = {LIVE: 0, OPEN: 1, FINISHED: 2}


class Listed(Protocol):
    """What a row needs of a table."""

    @property
    def record(self) -> TableRecord: ...
    @property
    def scenario(self) -> ScenarioInfo | None: ...
    @property
    def waiting(self) -> Sequence[int]: ...


class _Seen(NamedTuple):
    """The row of a table for all who have no seat at it, as long as this is its record and these are waited for."""

    record: TableRecord
    waiting: Sequence[int]
    row: TableRow


class Listing:
    """All tables: public ones for everybody, private ones by the people who may see them."""

    def __init__(self) -> None:
        self._public: dict[str, Listed] = {}
        self._private: dict[str, dict[str, Listed]] = {}
        self._people: dict[str, frozenset[str]] = {}
        """Of private tables, by their ids: under whom they are found."""
        self._seen: dict[str, _Seen] = {}

    def put(self, table: Listed) -> None:
        """This table is new, or its record is another one."""
        record = table.record
        self.remove(record.id)
        if not record.private:
            self._public[record.id] = table
            return
        self._people[record.id] = people = frozenset((*record.people, *record.admitted))
        for who in people:
            self._private.setdefault(who, {})[record.id] = table

    def remove(self, id: str) -> None:
        """This table is listed no more."""
        self._public.pop(id, None)
        self._seen.pop(id, None)
        for who in self._people.pop(id, ()):
            tables = self._private[who]
            del tables[id]
            if not tables:
                del self._private[who]

    def rows(self, who: str, since: int) -> tuple[TableRow, ...]:
        """What this person sees: tables that wait for him first, then his own, live before open before finished.
        `since`: unix seconds; matches that ended before it are shown to their seats alone."""
        seen = [
            self._row(table, who)
            for table in self._visible(who)
            if may_see(table.record, who) and not is_old(table.record, who, since)
        ]
        seen.sort(key=lambda row: (not row.turn, not row.mine, _ORDER[row.state], -row.when, row.id))
        return tuple(seen[:ROWS])

    def _visible(self, who: str) -> Iterable[Listed]:
        yield from self._private.get(who, {}).values()
        yield from self._public.values()

    def _row(self, table: Listed, who: str) -> TableRow:
        record, waiting = table.record, table.waiting
        if record.seat_of(who) >= 0:
            return table_row(record, who, table.scenario, waiting)
        seen = self._seen.get(record.id)
        if seen is None or seen.record is not record or seen.waiting != waiting:
            seen = _Seen(record, waiting, table_row(record, who, table.scenario, waiting))
            self._seen[record.id] = seen
        return seen.row
