"""Webhooks in the store: one record a person, written only over the version that was read, its address sealed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from protocol.ids import TableId
from protocol.redaction import redacted_repr
from server.runtime.errors import SealDamaged
from server.runtime.sealing import SealingKey
from server.store.paging import each_record
from server.store.port import RecordConflict, Store, StoreDamaged, StoredRecord
from server.store.record_form import NOTHING_UNKNOWN, encode_record, read_record, unknown_fields
from server.webhooks.address import WebhookAddress

WEBHOOKS: Final = "webhook"
"""Kind of the records, by the id of their person."""
SCHEMA: Final = 1
MOST_FAILURES: Final = 10
"""Failures in a row after which a webhook is switched off."""
LABEL: Final = b"eschaton/webhook/"
TRIES: Final = 8
"""Of a change whose record is changed by others at the same time."""


class Webhook(msgspec.Struct, frozen=True, omit_defaults=True):
    """A webhook. `sealed`: its address under the host key; `place`: the server as its person reaches it, for links;
    `failures`: those since the last message that arrived; `reason`, `status`: of the newest one (SendOutcome); `told`:
    by table, the occasion that its person knows of."""

    sealed: bytes
    place: str
    failures: int = 0
    reason: str = ""
    status: int = 0
    told: dict[TableId, str] = {}

    def __repr__(self) -> str:
        return redacted_repr(self, ("sealed",))

    @property
    def is_off(self) -> bool:
        """True where too many messages in a row have failed."""
        return self.failures >= MOST_FAILURES


class _KeptWebhook(NamedTuple):
    """A webhook as it is stored, with the fields that this program does not know."""

    webhook: Webhook
    version: int
    unknown: Mapping[str, Any]


class WebhookBook:
    """The webhooks of all people in one store."""

    def __init__(self, store: Store, key: SealingKey) -> None:
        self._store = store
        self._key = key
        self.people: set[str] = set()
        """Those who have one: most have none, and are not looked up at each turn."""

    async def find(self, who: str) -> Webhook | None:
        """Return the webhook of a person, None where they have none. Raises StoreError."""
        kept = await self._read(who)
        return None if kept is None else kept.webhook

    async def each(self) -> AsyncIterator[tuple[str, Webhook]]:
        """Yield all webhooks with their people, who are known from then on. Raises StoreError."""
        async for record in each_record(self._store, WEBHOOKS):
            self.people.add(record.key)
            yield record.key, read_record(WEBHOOKS, record.key, record.data, Webhook)

    async def put(self, who: str, address: WebhookAddress, place: str) -> Webhook:
        """Give a person a webhook, in place of one that they have, whose occasions they still know of. Raises
        StoreError: then nothing has changed."""
        sealed = self._key.seal(msgspec.msgpack.encode(address), who, LABEL)
        for left in reversed(range(TRIES)):
            kept = await self._read(who)
            told = {} if kept is None else kept.webhook.told
            webhook = Webhook(sealed, place, told=told)
            version, unknown = (0, NOTHING_UNKNOWN) if kept is None else (kept.version, kept.unknown)
            if await self._write(who, _KeptWebhook(webhook, version, unknown), is_last=not left):
                self.people.add(who)
                return webhook
        raise AssertionError("a loop over tries returns or raises")

    async def change(self, who: str, change: Callable[[Webhook], Webhook]) -> Webhook | None:
        """Change the webhook of a person and return it, None where they have none (any more). `change` is called again
        with what is there then, where somebody else has written meanwhile. Raises StoreError."""
        for left in reversed(range(TRIES)):
            kept = await self._read(who)
            if kept is None:
                return None
            after = change(kept.webhook)
            if after == kept.webhook or await self._write(who, kept._replace(webhook=after), is_last=not left):
                return after
        raise AssertionError("a loop over tries returns or raises")

    async def forget(self, who: str) -> None:
        """Delete the webhook of a person, if they have one. Raises StoreError."""
        await self._store.delete_record(WEBHOOKS, who, SCHEMA)
        self.people.discard(who)

    def address_of(self, who: str, webhook: Webhook) -> WebhookAddress:
        """Return the address of a person's webhook. Raises StoreDamaged."""
        return opened_address(self._key, who, webhook)

    async def _read(self, who: str) -> _KeptWebhook | None:
        found = await self._store.find_record(WEBHOOKS, who)
        if found is None:
            return None
        webhook = read_record(WEBHOOKS, who, found.data, Webhook)
        return _KeptWebhook(webhook, found.version, unknown_fields(found.data, Webhook))

    async def _write(self, who: str, kept: _KeptWebhook, *, is_last: bool) -> bool:
        """Return True where it is stored over the version that was read; raise RecordConflict at the last try."""
        data = encode_record(kept.webhook, kept.unknown)
        try:
            await self._store.put_records([StoredRecord(WEBHOOKS, who, data, kept.version, SCHEMA)])
        except RecordConflict:
            if is_last:
                raise
            return False
        return True


def opened_address(key: SealingKey, who: str, webhook: Webhook) -> WebhookAddress:
    """Return the address of a person's webhook. Raises StoreDamaged."""
    try:
        return msgspec.msgpack.decode(key.open(webhook.sealed, who, LABEL), type=WebhookAddress)
    except (SealDamaged, msgspec.MsgspecError) as problem:
        raise StoreDamaged(f"The webhook of {who} cannot be read: {problem}") from problem
