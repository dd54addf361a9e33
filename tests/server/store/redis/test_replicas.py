"""The class "replica": a write is told once a replica has it; and Redis by TLS, by a password, and by Sentinels."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from protocol.ids import MatchId
from server.runtime.clock import RealClock
from server.store.port import Appended, StoreUnavailable
from server.store.redis.connection import Timeouts
from server.store.redis.store import RedisStore
from tests.support.clients.programs import until
from tests.support.doubles.redis_group import FOLLOWED, GUARDED, RedisGroup
from tests.support.doubles.redis_server import DURABLE, RedisServer, free_port
from tests.support.doubles.store_contract import cause, fill
from tests.support.servers.certificates import certificate

MATCH = MatchId("m")
HURRIED = Timeouts(answer=2.0, patience=0.1, pause=0.05, replica=0.2)

pytestmark = pytest.mark.waits


@pytest.fixture
def primary(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "primary", GUARDED)
    yield server
    server.close()


@pytest.fixture
def replica(tmp_path: Path, primary: RedisServer) -> Iterator[RedisServer]:
    """A replica that follows."""
    server = RedisServer(tmp_path / "replica", (*GUARDED, "--replicaof", "127.0.0.1", str(primary.port)))
    yield server
    server.close()


async def opened(server: RedisServer) -> RedisStore:
    """Open the store as soon as the replica follows."""
    stores: list[RedisStore] = []

    async def opens() -> bool:
        with suppress(StoreUnavailable):  # no replica follows yet
            stores.append(await RedisStore.open(server.first, "replica", timeouts=HURRIED))
        return bool(stores)

    await until(opens)
    return stores[0]


async def test_a_step_is_told_once_a_replica_has_it_and_made_once(primary: RedisServer, replica: RedisServer) -> None:
    store = await opened(primary)
    fence = await fill(store, MATCH, 2)
    replica.stall()
    asked = asyncio.create_task(store.append(MATCH, fence, cause(3), 2, b"third"))
    await until(lambda: primary.say("XLEN", "eschaton:match:{m}:log") == ":3")
    # what comes later is refused in plain words, and what is not known is told to nobody
    await until(lambda: store.waiting == 1)
    with pytest.raises(StoreUnavailable, match="has no replica that took the last writes"):
        await asyncio.wait_for(_refused(store), 10)
    assert not asked.done()
    # nobody reads, and tells, what a former server may have left on the primary alone
    with pytest.raises(StoreUnavailable, match="has no replica that took the last writes"):
        await RedisStore.open(primary.first, "replica", timeouts=HURRIED)
    replica.go_on()
    assert await asked == Appended(3)
    assert await store.append(MATCH, fence, cause(4), 3, b"fourth") == Appended(4)
    assert replica.say("XLEN", "eschaton:match:{m}:log") == ":4"
    assert [step.cause for step in await store.read(MATCH)] == [cause(number) for number in (1, 2, 3, 4)]
    await store.close()


async def _refused(store: RedisStore) -> None:
    while True:
        await store.put_record("table", "a", b"1")


async def test_a_primary_without_a_replica_is_refused(primary: RedisServer) -> None:
    with pytest.raises(StoreUnavailable, match="has no replica that follows it"):
        await RedisStore.open(primary.first, "replica", timeouts=HURRIED)
    primary.say("CONFIG", "SET", "min-replicas-to-write", "0")
    with pytest.raises(StoreUnavailable, match="min-replicas-to-write is 0"):
        await RedisStore.open(primary.first, "replica", timeouts=HURRIED)


async def test_a_redis_that_does_not_tell_its_settings_is_taken_at_the_hosts_word(
    primary: RedisServer, replica: RedisServer
) -> None:
    await (await opened(primary)).close()
    primary.say("ACL", "SETUSER", "host", "on", ">s3cret", "~eschaton:*", "+@all", "-config")
    place = primary.first.replace("//", "//host:s3cret@")
    store = await RedisStore.open(place, "replica")
    assert "does not tell min-replicas-to-write" in store.promise
    assert "taken on your word" in store.promise
    await fill(store, MATCH, 1)
    await store.close()
    with pytest.raises(StoreUnavailable, match=r"\+config\|get"):
        await RedisStore.open(place, "disk")


async def test_redis_by_tls_and_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cert, key = certificate(tmp_path)
    port = free_port()
    files = ("--tls-cert-file", str(cert), "--tls-key-file", str(key), "--tls-ca-cert-file", str(cert))
    server = RedisServer(tmp_path / "tls", (*DURABLE, "--tls-port", str(port), *files, "--tls-auth-clients", "no"))
    server.say("ACL", "SETUSER", "host", "on", ">s3cret", "~eschaton:*", "+@all")
    place = f"rediss://host:s3cret@localhost:{port}/0"
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await RedisStore.open(place)  # signed by nobody whom this computer trusts
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    store = await RedisStore.open(place)
    await fill(store, MATCH, 1)
    await store.close()
    server.close()


async def test_a_store_follows_its_primary(tmp_path: Path) -> None:
    group = RedisGroup(tmp_path / "group", FOLLOWED)
    try:
        await group.begin()
        store = await RedisStore.open(f"{group.place}/1", "second")
        await store.take_lease(tmp_path / "data", RealClock())
        fence = await fill(store, MATCH, 2)
        doubt = asyncio.create_task(store.in_doubt())
        asked = asyncio.gather(group.fail_over(), store.append(MATCH, fence, cause(3), 2, b"step"))
        assert (await asked)[1] == Appended(3)
        assert await store.append(MATCH, fence, cause(4), 3, b"step") == Appended(4)
        await doubt
        assert await store.version(MATCH) == 4
        await store.close()
    finally:
        group.close()
