"""Seat codes: ten characters by which a seat passes to another device, once, within ten minutes."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

import msgspec

from protocol.game_links import CODE_LENGTH, CODE_LETTERS
from protocol.ids import TableId
from server.accounts.name_keepers import digest
from server.accounts.uptime import Uptime
from server.runtime.refusals import Refused
from server.store.paging import each_record
from server.store.port import Store

SEAT_CODES: Final = "seat_code"


class SeatPass(msgspec.Struct, frozen=True):
    """The grant of a code: the seat that this account holds at this table, until `ends` (seconds of `Uptime`)."""

    account: str
    table: TableId
    ends: int


def new_code() -> str:
    """Make a code of ten letters and digits: 49 bits."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class SeatCodes:
    """Seat codes in the store, which knows only their hashes. An account has one code a table; the newest counts."""

    def __init__(self, store: Store, uptime: Uptime, seconds: int) -> None:
        self._store = store
        self._uptime = uptime
        self._seconds = seconds
        self._lock = asyncio.Lock()

    async def make(self, account: str, table: TableId) -> str:
        """Make a new code. Raises StoreError."""
        code, now = new_code(), self._uptime.seconds
        async with self._lock:
            async for record in each_record(self._store, SEAT_CODES):
                known = msgspec.msgpack.decode(record.data, type=SeatPass)
                if known.ends <= now or (known.account, known.table) == (account, table):
                    await self._store.delete_record(SEAT_CODES, record.key)
            passed = SeatPass(account, table, now + self._seconds)
            await self._store.put_record(SEAT_CODES, digest(code), msgspec.msgpack.encode(passed))
        return code

    async def find(self, code: str) -> SeatPass:
        """Return the grant of a code, which is good still. Raises Refused, StoreError."""
        data = await self._store.get_record(SEAT_CODES, _key(code))
        passed = msgspec.msgpack.decode(data, type=SeatPass) if data is not None else None
        if passed is None or passed.ends <= self._uptime.seconds:
            raise Refused("seat-code/unknown")
        return passed

    async def use(self, code: str) -> None:
        """Use a code, which is worth nothing from now on. Raises Refused where another was quicker, StoreError."""
        async with self._lock:
            await self.find(code)
            await self._store.delete_record(SEAT_CODES, _key(code))


def _key(code: str) -> str:
    return digest(code.strip().upper())
