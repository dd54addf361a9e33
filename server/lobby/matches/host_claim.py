"""The host's own count of its matches, which follows from the records of its tables and so is kept with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from engine.core.match.causes import Void
from protocol.wire.host_claim import HostClaim
from server.lobby.table.table_record import DESERTED, ENDED, FINISHED, LIVE, TableRecord
from server.match.stored_causes import causes_in


class Tally:
    """Count of tables, each once, by its newest record."""

    def __init__(self) -> None:
        self._counted: dict[str, tuple[str, ...]] = {}
        self._fields: dict[tuple[str, ...], tuple[str, ...]] = {}
        """Each combination of fields once, for all tables that count in it."""
        self._counts: Counter[str] = Counter()

    def put(self, table: TableRecord) -> None:
        """Count this durable record in place of the table's former one."""
        self._counts.subtract(self._counted.pop(table.id, ()))
        counted = tuple(_counted(table))
        if counted:
            self._counted[table.id] = self._fields.setdefault(counted, counted)
            self._counts.update(counted)

    @property
    def claim(self) -> HostClaim:
        """The numbers now."""
        return HostClaim(**{name: self._counts[name] for name in HostClaim.__struct_fields__})


def has_given_up(steps: Iterable[bytes]) -> bool:
    """Return True where the steps of a log, as stored, hold an act that was given up after a fault (Void)."""
    return any(True for _ in causes_in(steps, Void))


def _counted(table: TableRecord) -> Iterator[str]:
    """Yield the fields of the claim in which a table counts."""
    if table.state not in (LIVE, FINISHED):
        return
    yield "begun"
    if table.given_up:
        yield "given_up"
    if table.state == FINISHED:
        yield _ending(table)


def _ending(table: TableRecord) -> str:
    """Return the end of a match. A finished table's seats do not change any more, nor does its result."""
    if not table.people:
        return "bots"
    if table.result is not None and table.result.k not in (ENDED, DESERTED):
        return "ended"
    return "parked" if table.parked else "abandoned"
