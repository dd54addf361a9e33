"""Where people came from: marks of their addresses and networks, kept for 30 days, so that a ban can reach both."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from server.runtime.address_marks import AddressMarks
from server.store.paging import each_beginning
from server.store.port import Store, StoredRecord
from server.store.record_form import read_record

CAME_FROM: Final = "came-from"
"""Kind of the records, by "PERSON MARK" of the address."""
DAY: Final = 24 * 3600
KEPT_SECONDS: Final = 30 * DAY
MOST_MARKS: Final = 20
"""Newest addresses of a person that a ban reaches."""
ABOUT: Final = "order"
NETWORK_BITS: Final = {4: 24, 6: 48}
"""First bits of an address that those of one network share, by the version of IP."""


class OriginMarks(NamedTuple):
    """Marks of an address, which of IPv6 is its first 64 bits, and of its network."""

    address: str
    network: str


class CameFrom(msgspec.Struct, frozen=True):
    """The mark of the network, and when the person last came from there (Unix seconds)."""

    network: str
    at: int


def network_of(address: str) -> str:
    """Return the network of an address as connections count it (counted_address); what is none stands for itself."""
    try:
        found = ipaddress.ip_network(address)
    except ValueError:
        return address
    return str(found.supernet(new_prefix=NETWORK_BITS[found.version]))


class AddressTrail:
    """The trails of all people in one store. `wall` returns Unix seconds."""

    def __init__(self, store: Store, marks: AddressMarks, wall: Callable[[], int]) -> None:
        self._store = store
        self._marks = marks
        self._wall = wall

    def marks(self, address: str) -> OriginMarks:
        """Return the marks of an address as connections count it."""
        return OriginMarks(self._marks.of(address, ABOUT), self._marks.of(network_of(address), ABOUT))

    def all_marks(self, address: str) -> list[str]:
        """Return all marks, the former ones too, that an address and its network may have been given."""
        return [mark for one in (address, network_of(address)) for mark in self._marks.all_of(one, ABOUT)]

    async def note(self, who: str, address: str) -> None:
        """Note that a person has come from this address. Raises StoreError."""
        marks = self.marks(address)
        data = msgspec.msgpack.encode(CameFrom(marks.network, self._wall()))
        await self._store.put_records([StoredRecord(CAME_FROM, f"{who} {marks.address}", data, seconds=KEPT_SECONDS)])

    async def of(self, who: str) -> list[OriginMarks]:
        """Return where a person last came from, at most MOST_MARKS addresses, the newest first. Raises StoreError."""
        found = []
        async for record in each_beginning(self._store, CAME_FROM, f"{who} "):
            stored = read_record(CAME_FROM, record.key, record.data, CameFrom)
            found.append((stored.at, OriginMarks(record.key.partition(" ")[2], stored.network)))
        return [marks for _, marks in sorted(found, reverse=True)[:MOST_MARKS]]

    async def forget(self, who: str) -> None:
        """Delete the trail of a person. Raises StoreError; a part may be gone then."""
        async for record in each_beginning(self._store, CAME_FROM, f"{who} "):
            await self._store.delete_record(CAME_FROM, record.key)
