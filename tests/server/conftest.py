"""Stores for tests of what the server keeps."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.port import Store
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore
from tests.support.doubles.redis_server import RedisServer


@pytest.fixture(params=["sqlite", "redis"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """Each of the stores that a server may have."""
    if request.param == "sqlite":
        store: Store = SqliteStore(tmp_path / "eschaton.db")
    else:
        redis: RedisServer = request.getfixturevalue("redis_server")
        store = await RedisStore.open(redis.place())
    yield store
    await store.close()
