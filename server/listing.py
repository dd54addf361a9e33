"""The lobby's list of tables for many viewers: what does not depend on who looks is sorted out once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

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


class Listing:
    """All tables at one moment. `since`: unix seconds; matches that ended before it are shown to their seats alone."""

    def __init__(self, tables: Iterable[Listed], since: int) -> None:
        self._since = since
        self._public: list[Listed] = []
        self._private: dict[str, list[Listed]] = {}
        self._strangers: dict[str, TableRow] = {}
        for table in tables:
            record = table.record
            if not record.private:
                self._public.append(table)
                continue
            for who in {*record.people, *record.admitted}:
                self._private.setdefault(who, []).append(table)

    def rows(self, who: str) -> tuple[TableRow, ...]:
        """What this person sees: tables that wait for him first, then his own, live before open before finished."""
        since = self._since
        seen = [
            self._row(table, who)
            for table in (*self._private.get(who, ()), *self._public)
            if may_see(table.record, who) and not is_old(table.record, who, since)
        ]
        seen.sort(key=lambda row: (not row.turn, not row.mine, _ORDER[row.state], -row.when, row.id))
        return tuple(seen[:ROWS])

    def _row(self, table: Listed, who: str) -> TableRow:
        record = table.record
        if record.seat_of(who) >= 0:
            return table_row(record, who, table.scenario, table.waiting)
        if record.id not in self._strangers:
            self._strangers[record.id] = table_row(record, who, table.scenario, table.waiting)
        return self._strangers[record.id]
