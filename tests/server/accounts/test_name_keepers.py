"""Names in both stores: given, left to rest, and released."""

from __future__ import annotations

import asyncio

import pytest

from server.accounts.name_keepers import NameKeepers
from server.store.port import Store

pytestmark = pytest.mark.waits


async def test_a_name_that_rests_is_free_after_its_time_and_one_that_is_taken_back_is_not(store: Store) -> None:
    names = NameKeepers(store)
    for name in ("Ann", "Ben"):
        await store.put_records(await names.claims(name, "a"))
    await store.put_records(await names.resting("Ann", "a", 0.5))
    await store.put_records(await names.resting("Ben", "a", 0.5))
    assert not await names.is_free("\u0410nn", "b")
    await store.put_records(await names.claims("Ben", "a"))
    for _ in range(2_000):
        if await names.is_free("Ann", "b"):
            break
        await asyncio.sleep(0.01)
    assert await names.is_free("Ann", "b")
    assert await names.of("Ben") == "a"
    assert await names.resting("Ben", "b", 1) == []
