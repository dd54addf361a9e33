"""Records that say whose a name is: one by the name's key, one by its look, each with the id of an account."""

from __future__ import annotations

import hashlib
from typing import Final

from server.accounts.display_names import look_key, name_key
from server.store.port import KeptRecord, Store, StoredRecord

NAMES: Final = "name"
"""Kind of the records by the hash of the name's key (`server.accounts.display_names.name_key`)."""
LOOKS: Final = "look"
"""Kind of the same records by the hash of `server.accounts.display_names.look_key`."""


class NameKeepers:
    """The keepers of names in one store. Each method raises StoreError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, name: str) -> str:
        """Return the id of the account that has a name, empty where nobody has it."""
        owner = await self._store.get_record(NAMES, name_place(name))
        return owner.decode() if owner is not None else ""

    async def is_free(self, name: str, id: str) -> bool:
        """Return True where nobody but this account has a name or one that looks the same."""
        owners = [await self._store.get_record(kind, key) for kind, key in _places(name)]
        return all(owner in (None, id.encode()) for owner in owners)

    async def claims(self, name: str, id: str) -> list[StoredRecord]:
        """Return the records that give a name to an account, in place of what is there now."""
        return [_record(place, id, await self._store.find_record(*place)) for place in _places(name)]

    async def missing(self, name: str, id: str) -> list[StoredRecord]:
        """Return those of them for which nothing is there: of a name that was kept before looks were compared."""
        return [record for record in await self.claims(name, id) if record.expected == 0]

    async def resting(self, name: str, id: str, seconds: float) -> list[StoredRecord]:
        """Return the records that keep a name of this account from others for this time, and no longer."""
        found = [(place, await self._store.find_record(*place)) for place in _places(name)]
        own = [(place, record) for place, record in found if record is not None and record.data == id.encode()]
        return [_record(place, id, record)._replace(seconds=seconds) for place, record in own]

    async def release(self, name: str, id: str) -> None:
        """Delete the records by which this account has a name."""
        for place in _places(name):
            if await self._store.get_record(*place) == id.encode():
                await self._store.delete_record(*place)


def name_place(name: str) -> str:
    """Return the key of the record of kind NAMES that says whose a name is."""
    return digest(name_key(name))


def digest(text: str) -> str:
    """Return the SHA-256 of a text, as hex: the form in which the store knows names and tokens."""
    return hashlib.sha256(text.encode()).hexdigest()


def _record(place: tuple[str, str], id: str, found: KeptRecord | None) -> StoredRecord:
    return StoredRecord(*place, id.encode(), 0 if found is None else found.version)


def _places(name: str) -> tuple[tuple[str, str], ...]:
    """Return kind and key of both records."""
    return (NAMES, name_place(name)), (LOOKS, digest(look_key(name)))
