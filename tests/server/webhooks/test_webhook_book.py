"""Webhooks in the store, through both adapters: sealed, written by version, and gone with their account."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from server.runtime.sealing import SealingKey
from server.store.port import RecordTooNew, Store, StoreDamaged, StoredRecord
from server.webhooks.address import WebhookAddress
from server.webhooks.webhook_book import MOST_FAILURES, SCHEMA, WEBHOOKS, Webhook, WebhookBook
from tests.support.doubles.stored import records_of

pytestmark = pytest.mark.waits

KEY = SealingKey(bytes(32))
ADDRESS = WebhookAddress("discord.com", "/api/secret")


def failed(webhook: Webhook) -> Webhook:
    return replace(webhook, failures=webhook.failures + 1, reason="slow")


async def test_an_address_is_kept_sealed_for_its_person_alone(store: Store) -> None:
    book = WebhookBook(store, KEY)
    kept = await book.put("a", ADDRESS, "play.example.org")
    assert b"secret" not in (await records_of(store, WEBHOOKS))["a"]
    assert "sealed" not in repr(kept)
    after = WebhookBook(store, KEY)
    assert [one async for one in after.each()] == [("a", kept)]
    assert after.people == {"a"}
    assert after.address_of("a", kept) == ADDRESS
    with pytest.raises(StoreDamaged, match="webhook of b"):
        after.address_of("b", kept)
    with pytest.raises(StoreDamaged, match="webhook of a"):
        WebhookBook(store, SealingKey(bytes(31) + b"1")).address_of("a", kept)


async def test_of_changes_at_the_same_time_none_is_lost(store: Store) -> None:
    book, other = WebhookBook(store, KEY), WebhookBook(store, KEY)
    await book.put("a", ADDRESS, "play.example.org")
    await asyncio.gather(*[one.change("a", failed) for one in (book, other) * 3])
    found = await book.find("a")
    assert found is not None
    assert (found.failures, found.is_off) == (6, False)
    assert replace(found, failures=MOST_FAILURES).is_off


async def test_another_address_begins_anew_and_what_was_told_stays_told(store: Store) -> None:
    book, table = WebhookBook(store, KEY), TableId("t")
    await book.put("a", ADDRESS, "play.example.org")
    await book.change("a", lambda one: replace(failed(one), told={table: "turn"}))
    await book.put("a", WebhookAddress("discord.com", "/other"), "play.example.org:1")
    found = await book.find("a")
    assert found is not None
    assert (found.failures, found.reason, found.place, found.told) == (0, "", "play.example.org:1", {table: "turn"})
    assert book.address_of("a", found).path == "/other"


async def test_one_that_is_gone_is_not_changed(store: Store) -> None:
    book = WebhookBook(store, KEY)
    await book.put("a", ADDRESS, "play.example.org")
    await book.forget("a")
    assert (await book.find("a"), await book.change("a", failed), book.people) == (None, None, set())
    assert await records_of(store, WEBHOOKS) == {}


async def test_fields_of_a_newer_program_are_carried_along_and_its_layout_is_only_read(store: Store) -> None:
    book = WebhookBook(store, KEY)
    data = msgspec.to_builtins(await book.put("a", ADDRESS, "play.example.org"), builtin_types=(bytes,))
    await store.put_records([StoredRecord(WEBHOOKS, "a", msgspec.msgpack.encode({**data, "hue": 7}))])
    await book.change("a", failed)
    kept = (await records_of(store, WEBHOOKS))["a"]
    assert msgspec.msgpack.decode(kept)["hue"] == 7
    await store.put_records([StoredRecord(WEBHOOKS, "b", kept, schema=SCHEMA + 1)])
    with pytest.raises(RecordTooNew):
        await book.change("b", failed)
    await store.put_records([StoredRecord(WEBHOOKS, "c", b"\xc1")])
    with pytest.raises(StoreDamaged, match="webhook c"):
        await book.find("c")
