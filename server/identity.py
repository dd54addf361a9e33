"""Guest identities: a token of 256 bits, of which the store knows the SHA-256 only, new at each login."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from server.names import clean_name
from server.refusals import Refused
from server.store.port import Record

if TYPE_CHECKING:
    from server.clock import Clock
    from server.store.port import Store

ACCOUNTS: Final = "account"
TOKENS: Final = "token"
TOKEN_BYTES: Final = 32


class Account(msgspec.Struct, frozen=True):
    """A guest. `tokens`: hashes that open it: the newest, and before it the one that was used to get it."""

    id: str
    name: str
    tokens: tuple[str, ...]
    seen: int


class Login(NamedTuple):
    """A login that succeeded; `token` goes to the client and nowhere else."""

    account: Account
    token: str


class Identities:
    """Who is who."""

    def __init__(self, store: Store, clock: Clock, name_length: int) -> None:
        self._store = store
        self._clock = clock
        self._name_length = name_length

    async def login(self, name: str, token: str | None) -> Login:
        """A new guest where `token` is absent; else the guest it belongs to.

        The token that was used stays good until the first login with the new one, so that a client which never
        received its answer can come back. Raises Refused("session/unknown-token").
        """
        name = clean_name(name, self._name_length, "Guest")
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        if token is None:
            account = Account(secrets.token_hex(8), name, (digest(fresh),), self._clock.wall())
            await self._save(account)
            return Login(account, fresh)
        used = digest(token)
        before = await self._find(used)
        account = Account(before.id, name, (used, digest(fresh)), self._clock.wall())
        await self._save(account)
        for gone in set(before.tokens) - set(account.tokens):
            await self._store.delete_record(TOKENS, gone)
        return Login(account, fresh)

    async def _find(self, used: str) -> Account:
        owner = await self._store.get_record(TOKENS, used)
        found = await self._store.get_record(ACCOUNTS, owner.decode()) if owner is not None else None
        account = msgspec.msgpack.decode(found, type=Account) if found is not None else None
        if account is None or used not in account.tokens:
            raise Refused("session/unknown-token")
        return account

    async def _save(self, account: Account) -> None:
        records = [Record(ACCOUNTS, account.id, msgspec.msgpack.encode(account))]
        records += [Record(TOKENS, token, account.id.encode()) for token in account.tokens]
        await self._store.put_records(records)


def digest(token: str) -> str:
    """SHA-256 of a token, as hex: what the store knows of it."""
    return hashlib.sha256(token.encode()).hexdigest()
