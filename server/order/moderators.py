"""Moderators: people who keep their name by a password, named in the settings, or appointed by the host."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from server.accounts.display_names import name_key
from server.accounts.identities import Account
from server.order.audit import AuditEntry, AuditList
from server.order.sanctions import GONE_SECONDS
from server.store.paging import each_record
from server.store.port import Store, StoredRecord
from server.store.record_form import read_record

MODERATORS: Final = "moderator"
"""Kind of the records, by person."""


class Moderator(msgspec.Struct, frozen=True):
    """A person whom the host has appointed, with the name that they had then, at this time (Unix seconds)."""

    who: str
    name: str
    at: int


def read_moderator(data: bytes) -> Moderator:
    """Decode a stored moderator. Raises MsgspecError."""
    return msgspec.msgpack.decode(data, type=Moderator)


class Moderators:
    """The moderators of one server; `named` are those of its settings."""

    def __init__(self, store: Store, audit: AuditList, named: Collection[str] = ()) -> None:
        self._store = store
        self._audit = audit
        self.named = tuple(named)
        self._named = frozenset(map(name_key, named))
        self._appointed: dict[str, Moderator] = {}

    async def open(self) -> None:
        """Read those who are appointed. Raises StoreError."""
        async for record in each_record(self._store, MODERATORS):
            if record.data:
                moderator = read_record(MODERATORS, record.key, record.data, Moderator)
                self._appointed[moderator.who] = moderator

    def includes(self, account: Account) -> bool:
        """Return True for a moderator. A name without a password is nobody's, and makes none."""
        return (account.id in self._appointed or self.names(account)) and bool(account.password)

    def names(self, account: Account) -> bool:
        """Return True where the settings name this person, appointed or not."""
        return name_key(account.name) in self._named

    def listed(self) -> Sequence[Moderator]:
        """Return those who are appointed, by name."""
        return sorted(self._appointed.values(), key=lambda one: (one.name, one.who))

    async def appoint(self, account: Account, at: int) -> None:
        """Make a person a moderator. Raises StoreError: then they are none."""
        moderator = Moderator(account.id, account.name, at)
        entry = AuditEntry("appoint", at, who=account.id, name=account.name)
        await self._audit.write(entry, StoredRecord(MODERATORS, account.id, msgspec.msgpack.encode(moderator)))
        self._appointed[account.id] = moderator

    async def dismiss(self, moderator: Moderator, at: int) -> None:
        """Make an appointed person a moderator no more. Raises StoreError: then they still are one."""
        entry = AuditEntry("dismiss", at, who=moderator.who, name=moderator.name)
        # a batch puts, and deletes nothing
        await self._audit.write(entry, StoredRecord(MODERATORS, moderator.who, b"", seconds=GONE_SECONDS))
        self._appointed.pop(moderator.who, None)

    async def forget(self, who: str) -> None:
        """Delete what is kept of a person whose account is deleted. Raises StoreError."""
        await self._store.delete_record(MODERATORS, who)
        self._appointed.pop(who, None)
