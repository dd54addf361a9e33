"""How many tables that are not finished there may be: of one person, from one address, on the server."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from server.refusals import Refused
from server.tables import FINISHED

if TYPE_CHECKING:
    from protocol.limits import Limits
    from server.tables import TableRecord


class TableBounds:
    """Counts tables as they open, change owner and end. Where a table was opened from is known until a restart."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._owners: dict[str, str] = {}
        self._addresses: dict[str, str] = {}
        self._of_owner: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()

    def check(self, who: str, address: str) -> None:
        """Whether this person may open another table from this address. Raises Refused, which names the bound."""
        limits = self._limits
        if self._of_owner[who] >= limits.tables_per_account:
            raise Refused("table/too-many-tables", most=limits.tables_per_account)
        if self._of_address[address] >= limits.tables_per_address:
            raise Refused("table/too-many-from-address", most=limits.tables_per_address)
        if len(self._owners) >= limits.tables:
            raise Refused("table/too-many-on-server", most=limits.tables)

    def opened(self, id: str, address: str) -> None:
        """A table is opened from this address; `put` or `remove` follows."""
        self._addresses[id] = address
        self._of_address[address] += 1

    def put(self, table: TableRecord) -> None:
        """This is the table's record now."""
        if table.state == FINISHED:
            self.remove(table.id)
            return
        self._take(self._of_owner, self._owners.get(table.id))
        self._owners[table.id] = table.owner
        self._of_owner[table.owner] += 1

    def remove(self, id: str) -> None:
        """This table is finished, or there no more."""
        self._take(self._of_owner, self._owners.pop(id, None))
        self._take(self._of_address, self._addresses.pop(id, None))

    def _take(self, counts: Counter[str], key: str | None) -> None:
        if key is None:
            return
        counts[key] -= 1
        if not counts[key]:
            del counts[key]
