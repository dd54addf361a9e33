"""How many tables that are not finished, and how many live matches among them, there may be: of one person, from one
address, on the server."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from server.refusals import Refused
from server.tables import FINISHED, LIVE

if TYPE_CHECKING:
    from protocol.limits import Limits
    from server.tables import TableRecord


class _Most(NamedTuple):
    """A number, and the code of the refusal beyond it."""

    number: int
    code: str


class _Bound:
    """Counts things by id: of one person, from one address, in all."""

    def __init__(self, of_person: _Most, from_address: _Most, in_all: _Most) -> None:
        self._most = of_person, from_address, in_all
        self._persons: dict[str, str] = {}
        self._addresses: dict[str, str] = {}
        self._of_person: Counter[str] = Counter()
        self._from_address: Counter[str] = Counter()

    def check(self, who: str, address: str) -> None:
        """Raise Refused, which names the bound, where there may be no other of this person from this address."""
        counts = self._of_person[who], self._from_address[address], len(self._persons)
        for count, most in zip(counts, self._most, strict=True):
            if count >= most.number:
                raise Refused(most.code, most=most.number)

    def come_from(self, id: str, address: str) -> None:
        """Count a new one for the address that it is from."""
        self._addresses[id] = address
        self._from_address[address] += 1

    def put(self, id: str, who: str) -> None:
        """Count this one for this person, and for nobody else."""
        _take(self._of_person, self._persons.get(id))
        self._persons[id] = who
        self._of_person[who] += 1

    def has(self, id: str) -> bool:
        """Return True where it is counted."""
        return id in self._persons

    def remove(self, id: str) -> None:
        """Count it no more."""
        _take(self._of_person, self._persons.pop(id, None))
        _take(self._from_address, self._addresses.pop(id, None))


class TableBounds:
    """Counts tables as they open, start, change owner and end. A live match counts for the person who started it.
    Where a table was opened or started from, and by whom it was started, is known until a restart: from then on a live
    match counts for its owner."""

    def __init__(self, limits: Limits) -> None:
        self._open = _Bound(
            _Most(limits.tables_per_account, "table/too-many-tables"),
            _Most(limits.tables_per_address, "table/too-many-from-address"),
            _Most(limits.tables, "table/too-many-on-server"),
        )
        self._live = _Bound(
            _Most(limits.matches_per_account, "table/too-many-matches"),
            _Most(limits.matches_per_address, "table/too-many-matches-from-address"),
            _Most(limits.matches, "table/too-many-matches-on-server"),
        )

    def open(self, id: str, who: str, address: str) -> None:
        """Count a table that this person opens from this address. Raises Refused, which names the bound."""
        self._open.check(who, address)
        self._open.come_from(id, address)
        self._open.put(id, who)

    def start(self, id: str, who: str, address: str) -> None:
        """Count a match that this person starts from this address. Raises Refused, which names the bound."""
        self._live.check(who, address)
        self._live.come_from(id, address)
        self._live.put(id, who)

    def put(self, table: TableRecord) -> None:
        """This is the table's record now."""
        if table.state == FINISHED:
            self.remove(table.id)
            return
        self._open.put(table.id, table.owner)
        if table.state == LIVE and not self._live.has(table.id):
            self._live.put(table.id, table.owner)

    def not_started(self, id: str) -> None:
        """The match of this table could not be started."""
        self._live.remove(id)

    def remove(self, id: str) -> None:
        """This table is finished, or there no more."""
        self._open.remove(id)
        self._live.remove(id)


def _take(counts: Counter[str], key: str | None) -> None:
    if key is None:
        return
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
