"""Look-up of people as the host names them: by id, or by the name that they keep."""

from __future__ import annotations

from typing import Protocol

from server.accounts.display_names import name_key
from server.accounts.identities import ACCOUNTS, Account, read_account
from server.accounts.name_keepers import NAMES, name_place
from server.store.port import KeptRecord


class FoundRecords(Protocol):
    """The part of the store's port that is read here."""

    async def find_record(self, kind: str, key: str) -> KeptRecord | None: ...


async def find_person(store: FoundRecords, person: str) -> Account | None:
    """Return the account with this id, or of who keeps this name, None where there is none. Raises StoreError,
    MsgspecError."""
    by_id = await _account(store, person)
    if by_id is not None:
        return by_id
    keeper = await store.find_record(NAMES, name_place(person))
    account = await _account(store, keeper.data.decode()) if keeper is not None else None
    # else it is a name that they have given up
    return account if account is not None and name_key(account.name) == name_key(person) else None


async def _account(store: FoundRecords, id: str) -> Account | None:
    found = await store.find_record(ACCOUNTS, id)
    account = read_account(found.data) if found is not None else None
    return account if account is not None and not account.gone else None
