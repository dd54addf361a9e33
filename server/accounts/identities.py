"""Accounts and their tokens: 256 bits for each device, stored as SHA-256 only, replaced at each login."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from protocol.limits import Limits
from protocol.redaction import redacted_repr
from server.accounts.display_names import can_be_kept, guest_name, name_key, person_name
from server.accounts.name_keepers import NameKeepers, digest
from server.accounts.uptime import Uptime
from server.runtime.refusals import Refused
from server.store.numbered_records import Put
from server.store.paging import each_record
from server.store.port import Store, StoredRecord
from server.store.record_form import NOTHING_UNKNOWN, encode_record, unknown_fields

ACCOUNTS: Final = "account"
TOKENS: Final = "token"
TOKEN_BYTES: Final = 32
ACCOUNT_SCHEMA: Final = 1
FORMER_FIELDS: Final = ("tokens", "seen", "made")
"""Fields of older accounts, whose one device had no place of its own (`read_account`): never carried along."""


class Device(msgspec.Struct, frozen=True):
    """A device on which a person has logged in.

    `tokens`: hashes of its good tokens: the newest, and before it the one that was used to get it. `seen`: when the
    person was last here, `made`: when the newest token was made (seconds of `Uptime`).
    """

    tokens: tuple[str, ...] = ()
    seen: int = 0
    made: int = 0


class Account(msgspec.Struct, frozen=True):
    """A person: a guest with one device, or, with the hash of a `password`, one who keeps their name.

    `left`: when they were last here on a device that is known no more (seconds of `Uptime`); 0 where that was not
    stored. `former`: names that they have given up and that are still kept from others. `gone`: it is deleted
    for all but `Identities.forget`. `is_name_given`: a moderator gave them their name, which no greeting changes.
    """

    id: str
    name: str
    devices: tuple[Device, ...] = ()
    password: str = ""
    left: int = 0
    former: tuple[str, ...] = ()
    gone: bool = False
    is_name_given: bool = False

    def __repr__(self) -> str:
        return redacted_repr(self, ("devices", "password"))

    @property
    def tokens(self) -> tuple[str, ...]:
        """Hashes of all good tokens."""
        return tuple(token for device in self.devices for token in device.tokens)

    @property
    def seen(self) -> int:
        """Time at which the person was last here (seconds of `Uptime`); 0 where it is not known."""
        return max((self.left, *(device.seen for device in self.devices)))

    def device(self, token: str) -> Device | None:
        """Return the device that a token of this hash belongs to, None where there is none."""
        found = [each for each in self.devices if any(secrets.compare_digest(token, known) for known in each.tokens)]
        return found[0] if found else None

    def without(self, device: Device | None) -> tuple[Device, ...]:
        """Return the other devices."""
        return tuple(other for other in self.devices if other is not device)


class Login(msgspec.Struct, weakref=True):
    """A login that succeeded; `token` goes to the client and nowhere else. `account`: as it is now, while the token is
    good."""

    account: Account
    token: str

    def __repr__(self) -> str:
        return redacted_repr(self, ("token",))


class StoredForm(NamedTuple):
    """The form in which an account is stored: the version of its record, and its fields that are not known here."""

    version: int
    unknown: Mapping[str, Any]


NEW: Final = StoredForm(0, NOTHING_UNKNOWN)


class Identities:
    """All accounts, their tokens, and the names that are kept. `on_forget` deletes what others keep of an account that
    is deleted; it raises StoreError."""

    def __init__(
        self, store: Store, uptime: Uptime, limits: Limits, on_forget: Callable[[str], Awaitable[None]]
    ) -> None:
        self._store = store
        self._on_forget = on_forget
        self._uptime = uptime
        self._limits = limits
        self._names = NameKeepers(store)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._logins: WeakValueDictionary[str, Login] = WeakValueDictionary()
        """Logins whose tokens are good, by the hashes of these."""
        self._keeping = asyncio.Lock()

    async def each(self) -> AsyncIterator[Account]:
        """Yield all accounts that can be read and changed by this program. Raises StoreError."""
        async for record in each_record(self._store, ACCOUNTS):
            with suppress(msgspec.MsgspecError):
                if record.schema <= ACCOUNT_SCHEMA:
                    yield read_account(record.data)

    async def login(
        self,
        name: str,
        token: str | None,
        admit: Callable[[str], None] = lambda _: None,
        may_rename: Callable[[str, str], bool] = lambda *_: True,
    ) -> Login:
        """Return a login of a new guest where `token` is None, else of the person it belongs to.

        The token that was used stays good until the client has confirmed the new one, so that a client which never
        received its answer can come back. `admit` is called with the person before anything is stored, and may raise
        Refused. A guest who comes back by another name has it from now on where `may_rename`, called with the person
        and that name, returns True; it may raise Refused, too. Raises Refused("session/unknown-token"), StoreError.
        """
        name = person_name(name, self._limits.name_length)
        if token is None:
            id = secrets.token_hex(8)
            admit(id)
            return await self._enter(Account(id, await self._free(name, id)), NEW, None)
        used = digest(token)
        owner = await self._store.get_record(TOKENS, used)
        if owner is None:
            raise Refused("session/unknown-token")
        async with self._lock(owner.decode()):
            before, form = await self._found(owner.decode())
            device = before.device(used) if before is not None else None
            if before is None or device is None or not self._is_good(device):
                raise Refused("session/unknown-token")
            admit(before.id)
            name = before.name if before.password else await self._guest_name(before, name, may_rename)
            return await self._enter(replace(before, name=name), form, device, used)

    def check_login(self, login: Login) -> None:
        """Raise Refused where the token of a login has been revoked since, or its account deleted."""
        if digest(login.token) not in self._logins:
            raise Refused("session/over")

    async def confirm(self, login: Login) -> None:
        """Revoke the token before the one of this login, which the client has stored. Raises StoreError."""
        token = digest(login.token)
        async with self._lock(login.account.id):
            account, form = await self._found(login.account.id)
            device = account.device(token) if account is not None else None
            if account is not None and device is not None:
                await self._change(account, form, (*account.without(device), replace(device, tokens=(token,))))

    async def check(self, id: str, token: str) -> None:
        """Check that a connected person may stay, and note that they are here. `token`: the hash of their device's
        token.

        A person who has had the same token for long is sent to fetch a new one while the old one is still good. Raises
        Refused, StoreError.
        """
        async with self._lock(id):
            account, form = await self._found(id)
            device = account.device(token) if account is not None else None
            if account is None or device is None:
                raise Refused("session/over")
            now = self._uptime.seconds
            if now - device.made > self._limits.token_seconds - self._limits.token_idle_seconds:
                raise Refused("session/renew")
            await self._change(account, form, (*account.without(device), replace(device, seen=now)))

    async def logout(self, id: str) -> None:
        """Revoke all tokens of this account. Raises StoreError."""
        async with self._lock(id):
            account, form = await self._found(id)
            if account is not None:
                await self._change(account, form, ())

    async def tidy(self, known: Account) -> None:
        """Drop devices of this account whose tokens have ended, and names given up that rest no more; count the absence
        of the person from now on, where it is not known when they were last here. Raises StoreError."""
        if known.seen and not known.former and all(map(self._is_good, known.devices)):
            return
        async with self._lock(known.id):
            account, form = await self._found(known.id)
            if account is None:
                return
            devices = tuple(filter(self._is_good, account.devices))
            former = tuple([name for name in account.former if await self._names.of(name) == account.id])
            if not account.seen or (devices, former) != (account.devices, account.former):
                await self._change(replace(account, former=former), form, devices)

    async def delete(self, id: str, is_due: Callable[[Account], bool] = lambda _: True) -> bool:
        """Delete this account for everybody, unless it is not due any more: nobody finds it or comes in by it from now
        on, and `forget` deletes what is left. Return True where that was done. Raises StoreError."""
        async with self._lock(id):
            account, form = await self._found(id)
            if account is None or not is_due(account):
                return False
            data = encode_record(replace(account, gone=True), form.unknown)
            await self._store.put_records([StoredRecord(ACCOUNTS, id, data, form.version, ACCOUNT_SCHEMA)])
            self._revoke(account.tokens)
        return True

    async def forget(self, id: str) -> None:
        """Delete what is left of a deleted account, its tokens and the names it keeps. Raises StoreError; a part may be
        gone then, and the rest goes next time."""
        async with self._keeping, self._lock(id):
            account, _ = await self._kept(id)
            if account is None or not account.gone:
                return
            await self._on_forget(id)
            for name in (account.name, *account.former) if account.password else ():
                await self._names.release(name, id)
            await self._forget(account.tokens)
            await self._store.delete_record(ACCOUNTS, id, ACCOUNT_SCHEMA)

    async def check_free(self, account: Account) -> None:
        """Raise Refused where somebody else keeps the name of this account; StoreError."""
        if not await self._names.is_free(account.name, account.id):
            raise Refused("password/taken")

    async def find(self, id: str) -> Account | None:
        """Return an account, None where there is none. Raises StoreError."""
        return (await self._found(id))[0]

    async def account(self, id: str) -> Account:
        """Return an account. Raises Refused("session/over") for one that is gone, StoreError."""
        account = await self.find(id)
        if account is None:
            raise Refused("session/over")
        return account

    async def keeper(self, name: str) -> Account | None:
        """Return the account that keeps this name, None where there is none. Raises StoreError."""
        account = await self.find(await self._names.of(name))  # two reads in any case
        # else it is a name that they have given up
        return account if account is not None and name_key(account.name) == name_key(name) else None

    async def keep_name(self, before: Account, token: str, password: str) -> Account:
        """Make the account's name its own by the hash of a password; only the device of `token` (a hash) stays logged
        in.

        Raises Refused where somebody else keeps the name or the account has changed since `before`, StoreError.
        """
        async with self._keeping, self._lock(before.id):
            account, form = await self._found(before.id)
            if account is None:
                raise Refused("session/over")
            if (account.name, account.password) != (before.name, before.password):
                raise Refused("password/changed")
            await self.check_free(account)
            device = account.device(token)
            kept = replace(account, password=password)
            claims = await self._names.claims(account.name, account.id)
            return await self._change(kept, form, (device,) if device is not None else (), *claims)

    async def rename(self, id: str, wanted: str, noted: Callable[[Put], Awaitable[None]] | None = None) -> Account:
        """Give an account another name. One that was kept by a password is kept from others for `name_rest_seconds`.
        `noted`, where a moderator does it, calls what stores it with the entry of the audit list: no greeting changes
        such a name.

        Raises Refused where it is reserved or somebody else keeps it, StoreError.
        """
        name = person_name(wanted, self._limits.name_length)
        async with self._keeping, self._lock(id):
            account, form = await self._found(id)
            if account is None:
                raise Refused("session/over")
            if name == account.name:
                raise Refused("rename/same", name=name)
            if not can_be_kept(name):
                raise Refused("rename/reserved")
            if not await self._names.is_free(name, id):
                raise Refused("rename/taken", name=name)
            renamed = replace(account, name=name, is_name_given=noted is not None)
            if not account.password:
                return await self._change(renamed, form, account.devices, noted=noted)
            former = [old for old in account.former if old != name and await self._names.of(old) == id]
            records = [
                *await self._names.resting(account.name, id, self._limits.name_rest_seconds),
                *await self._names.claims(name, id),
            ]
            # one for each place: names that are written in another way share them
            places = {(record.kind, record.key): record for record in records}
            renamed = replace(renamed, former=(*former, account.name))
            return await self._change(renamed, form, account.devices, *places.values(), noted=noted)

    async def let_in(self, id: str, proven: str, password: str) -> Login:
        """Log in a new device of the account whose password had the hash `proven`, which is replaced by `password`.

        Raises Refused where it is another one by now, StoreError.
        """
        async with self._lock(id):
            account, form = await self._found(id)
            if account is None or account.password != proven:
                raise Refused("session/not-signed-in")
            return await self._enter(replace(account, password=password), form, None)

    async def _enter(self, account: Account, form: StoredForm, device: Device | None, *used: str) -> Login:
        """Give this device, or a new one, a new token; drop devices whose tokens have ended, and the oldest of too
        many."""
        token, now = secrets.token_urlsafe(TOKEN_BYTES), self._uptime.seconds
        others = sorted(filter(self._is_good, account.without(device)), key=lambda other: other.seen)
        entered = Device((*used, digest(token)), now, now)
        # missing for a name that was kept before looks were compared
        places = await self._names.missing(account.name, account.id) if account.password else []
        devices = (*others[-self._limits.devices + 1 :], entered)
        login = Login(await self._change(account, form, devices, *places), token)
        self._logins[digest(token)] = login
        return login

    async def _change(
        self,
        account: Account,
        form: StoredForm,
        devices: tuple[Device, ...],
        *also: StoredRecord,
        noted: Callable[[Put], Awaitable[None]] | None = None,
    ) -> Account:
        """Save the account with these devices, and delete the tokens that it had and has no more.

        form: of the record that the account was read from. Raises StoreError, where it has changed since, too.
        """
        # an account whose devices are dropped is no older for that
        left = account.seen or (0 if devices else self._uptime.seconds)
        changed = replace(account, devices=devices, left=left)
        data = encode_record(changed, form.unknown)
        records = [StoredRecord(ACCOUNTS, account.id, data, form.version, ACCOUNT_SCHEMA), *also]
        records += [StoredRecord(TOKENS, token, account.id.encode()) for token in changed.tokens]

        async def put(others: Sequence[StoredRecord]) -> None:
            await self._store.put_records([*records, *others])

        await (noted(put) if noted is not None else put(()))
        for token in changed.tokens:
            if (login := self._logins.get(token)) is not None:
                login.account = changed
        revoked = set(account.tokens) - set(changed.tokens)
        self._revoke(revoked)
        await self._forget(revoked)
        return changed

    async def _guest_name(self, guest: Account, wanted: str, may_rename: Callable[[str, str], bool]) -> str:
        """Return the name of a guest who comes back and wants to be called so."""
        own = await self._free(guest.name, guest.id)
        if guest.is_name_given or wanted == guest.name:
            return own
        other = await self._free(wanted, guest.id)
        return other if other != own and may_rename(guest.id, other) else own

    async def _free(self, name: str, id: str) -> str:
        """Return the name, or another one where somebody else keeps it."""
        return name if await self._names.is_free(name, id) else guest_name(name, self._limits.name_length)

    def _lock(self, id: str) -> asyncio.Lock:
        """Return the lock of an account, under which it is read and written back changed."""
        return self._locks.setdefault(id, asyncio.Lock())

    def _revoke(self, tokens: Iterable[str]) -> None:
        """Let nobody in any more whose login gave one of these tokens."""
        for token in tokens:
            self._logins.pop(token, None)

    async def _forget(self, tokens: Iterable[str]) -> None:
        for token in tokens:
            await self._store.delete_record(TOKENS, token)

    async def _found(self, id: str) -> tuple[Account | None, StoredForm]:
        """Return an account, None where there is none or it is deleted, with the form in which it is stored."""
        account, form = await self._kept(id)
        return (None, NEW) if account is None or account.gone else (account, form)

    async def _kept(self, id: str) -> tuple[Account | None, StoredForm]:
        """Return what is stored of an account, deleted or not."""
        found = await self._store.find_record(ACCOUNTS, id)
        if found is None:
            return None, NEW
        return read_account(found.data), StoredForm(found.version, unknown_fields(found.data, Account, FORMER_FIELDS))

    def _is_good(self, device: Device) -> bool:
        now, limits = self._uptime.seconds, self._limits
        return now - device.seen <= limits.token_idle_seconds and now - device.made <= limits.token_seconds


def read_account(data: bytes) -> Account:
    """Decode a stored account. In older records its one device has no place of its own. Raises MsgspecError."""
    account = msgspec.msgpack.decode(data, type=Account)
    if not account.devices and (device := msgspec.msgpack.decode(data, type=Device)).tokens:
        return replace(account, devices=(device,))
    return account
