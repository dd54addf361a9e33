"""Guest identities: a token of 256 bits, of which the store knows the SHA-256 only, new at each login."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from server.names import person_name
from server.refusals import Refused
from server.store.port import Record

if TYPE_CHECKING:
    from protocol.limits import Limits
    from server.clock import Clock
    from server.store.port import Store

ACCOUNTS: Final = "account"
TOKENS: Final = "token"
TOKEN_BYTES: Final = 32


class Account(msgspec.Struct, frozen=True):
    """A guest. `tokens`: hashes that open it: the newest, and before it the one that was used to get it. `seen`: when
    the person was last here, `made`: when the newest token was (unix seconds)."""

    id: str
    name: str
    tokens: tuple[str, ...]
    seen: int
    made: int = 0


class Login(NamedTuple):
    """A login that succeeded; `token` goes to the client and nowhere else."""

    account: Account
    token: str


class Identities:
    """Who is who."""

    def __init__(self, store: Store, clock: Clock, limits: Limits) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def login(self, name: str, token: str | None) -> Login:
        """A new guest where `token` is absent; else the guest it belongs to.

        The token that was used stays good until the client has `kept` the new one, so that one which never received
        its answer can come back. Raises Refused("session/unknown-token"), StoreError.
        """
        name, now = person_name(name, self._limits.name_length), self._clock.wall()
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        if token is None:
            account = Account(secrets.token_hex(8), name, (digest(fresh),), now, now)
            await self._save(account)
            return Login(account, fresh)
        used = digest(token)
        owner = await self._store.get_record(TOKENS, used)
        if owner is None:
            raise Refused("session/unknown-token")
        async with self._lock(owner.decode()):
            before = await self._find(used)
            account = Account(before.id, name, (used, digest(fresh)), now, now)
            await self._save(account)
            await self._forget(set(before.tokens) - set(account.tokens))
        return Login(account, fresh)

    async def kept(self, login: Login) -> None:
        """The client has the token of this login: the one before it is good no more. Raises StoreError."""
        token = digest(login.token)
        async with self._lock(login.account.id):
            account = await self._account(login.account.id)
            if account is not None and token in account.tokens:
                await self._save(replace(account, tokens=(token,)))
                await self._forget(set(account.tokens) - {token})

    async def check(self, id: str) -> None:
        """Whether a person who is still connected may stay; he has been seen. Raises Refused, StoreError.

        Whoever has the same token for long is sent to fetch a new one while the old one is still good.
        """
        async with self._lock(id):
            account = await self._account(id)
            if account is None or not account.tokens:
                raise Refused("session/over")
            now = self._clock.wall()
            if now - account.made > self._limits.token_seconds - self._limits.token_idle_seconds:
                raise Refused("session/renew")
            await self._save(replace(account, seen=now))

    async def logout(self, id: str) -> None:
        """No token of this account is good any more. Raises StoreError."""
        async with self._lock(id):
            account = await self._account(id)
            if account is not None:
                await self._save(replace(account, tokens=()))
                await self._forget(account.tokens)

    def _lock(self, id: str) -> asyncio.Lock:
        """One at a time for each account: what is read there is written back changed."""
        return self._locks.setdefault(id, asyncio.Lock())

    async def _forget(self, tokens: Iterable[str]) -> None:
        for token in tokens:
            await self._store.delete_record(TOKENS, token)

    async def _account(self, id: str) -> Account | None:
        found = await self._store.get_record(ACCOUNTS, id)
        return msgspec.msgpack.decode(found, type=Account) if found is not None else None

    async def _find(self, used: str) -> Account:
        owner = await self._store.get_record(TOKENS, used)
        account = await self._account(owner.decode()) if owner is not None else None
        if account is None or not any(secrets.compare_digest(used, token) for token in account.tokens):
            raise Refused("session/unknown-token")
        now, limits = self._clock.wall(), self._limits
        if now - account.seen > limits.token_idle_seconds or now - account.made > limits.token_seconds:
            raise Refused("session/unknown-token")
        return account

    async def _save(self, account: Account) -> None:
        records = [Record(ACCOUNTS, account.id, msgspec.msgpack.encode(account))]
        records += [Record(TOKENS, token, account.id.encode()) for token in account.tokens]
        await self._store.put_records(records)


def digest(token: str) -> str:
    """SHA-256 of a token, as hex: what the store knows of it."""
    return hashlib.sha256(token.encode()).hexdigest()
