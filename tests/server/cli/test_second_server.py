"""A second server on a store in use, as real processes: it is refused, or takes over and the first acts no more."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.ids import match_of
from server.cli.data.keys import run_rotate
from server.runtime.errors import CommandError
from server.store.host_keys import check_host_keys
from server.store.redis.store import RedisStore
from tests.support.clients.programs import Program, ServerProgram
from tests.support.clients.wire import Client, running, two_players
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.redis_server import HOLDER, RedisServer, free_port
from tests.support.runs.patience import PATIENCE

KEY_FILES = ("host.key", "host.ed25519")


def host(folder: Path, redis: RedisServer, *options: str) -> ServerProgram:
    """A server on this Redis, with a data folder of its own in `folder`."""
    folder.mkdir(exist_ok=True)
    return ServerProgram(folder, options=("--store", redis.first, *options))


@asynccontextmanager
async def started(server: ServerProgram) -> AsyncIterator[ServerProgram]:
    """Run the server, and end it."""
    await server.start()
    try:
        yield server
    finally:
        await server.end()


def with_keys_of(other: ServerProgram, server: ServerProgram) -> None:
    """Give a server the host keys of another."""
    server.data.mkdir(mode=0o700)
    for name in KEY_FILES:
        shutil.copy(other.data / name, server.data / name)


async def ready(port: int) -> tuple[int, str]:
    """Return status and reason of /readyz."""

    def ask() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)["status"]
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)["status"]

    return await asyncio.to_thread(ask)


async def refused(server: ServerProgram) -> str:
    """Return the error text of a server that does not start."""
    place = ("--listen", "127.0.0.1:0", "--data", str(server.data))
    program = Program(server.log.parent, "refused", *ServerProgram.module, *place, *server.options, is_forked=True)
    await program.start()
    try:
        assert await program.wait(PATIENCE) == 1, program.end_told
    finally:
        await program.end()
    return program.log.read_text()


async def test_a_second_server_is_refused_in_a_plain_sentence(tmp_path: Path, redis: RedisServer) -> None:
    async with started(host(tmp_path / "first", redis)) as first:
        second = host(tmp_path / "second", redis)
        with_keys_of(first, second)
        said = await refused(second)
        assert '"store-in-use"' in said
        assert "Traceback" not in said
        assert f"Another server uses {redis.first}: It has given a sign of life" in said
        said = await refused(first)
        assert f"Another server is using the data folder {first.data}. Stop it" in said
        ann = Client(first.port)
        await ann.connect()
        await ann.close()


async def test_a_killed_server_is_followed_at_once_from_its_data_folder(tmp_path: Path, redis: RedisServer) -> None:
    first = host(tmp_path / "first", redis)
    async with started(first):
        for _ in range(2):
            await first.kill()
            await first.start()
    assert '"store-in-use"' not in first.log.read_text()


async def test_a_server_that_stood_still_acts_no_more_once_it_is_followed(tmp_path: Path, redis: RedisServer) -> None:
    first_port = free_port()
    first = host(tmp_path / "first", redis, "--metrics", f"127.0.0.1:{first_port}")
    async with started(first):
        ann = Client(first.port)
        await ann.connect()
        assert await ready(first_port) == (200, "ok")
        assert first.pid is not None
        os.kill(first.pid, signal.SIGSTOP)
        try:
            redis.say("HSET", HOLDER, "beat", "0")
            second = host(tmp_path / "second", redis)
            with_keys_of(first, second)
            async with started(second):
                os.kill(first.pid, signal.SIGCONT)
                await ann.until(lambda: ann.closed is not None)
                assert ann.closed is not None
                assert ann.closed[0] == 1012
                assert await ready(first_port) == (503, "another server has taken the store over")
                ben = Client(second.port)
                await ben.connect()
                await ben.close()
        finally:
            os.kill(first.pid, signal.SIGCONT)
        await ann.close()
    assert '"store-taken"' in first.log.read_text()


async def test_other_host_keys_are_refused_and_rotated_ones_are_not(tmp_path: Path, redis: RedisServer) -> None:
    first = host(tmp_path / "first", redis)
    async with started(first):
        pass
    stranger = host(tmp_path / "stranger", redis)
    said = await refused(stranger)
    assert f"The host keys in {stranger.data} are not those of this store" in said
    assert "Traceback" not in said
    assert not any((stranger.data / name).exists() for name in KEY_FILES)
    assert await run_rotate(first.data, redis.first) == 0
    assert await run_rotate(first.data, redis.first) == 0
    async with started(first):
        pass
    # the keys of before are those of nobody now
    with_keys_of(first, stranger_with := host(tmp_path / "stranger2", redis))
    (stranger_with.data / "host.ed25519").write_bytes(bytes(32))
    assert "are not those of this store" in await refused(stranger_with)


async def test_a_running_server_on_redis_keeps_its_key_from_being_rotated(tmp_path: Path, redis: RedisServer) -> None:
    async with started(host(tmp_path / "first", redis)) as first:
        with pytest.raises(CommandError, match="Another server is using the data folder"):
            await run_rotate(first.data, redis.first)


@pytest.mark.parametrize("name", KEY_FILES)
async def test_each_of_the_host_keys_must_be_that_of_the_store(tmp_path: Path, name: str) -> None:
    store = MemoryStore()
    await check_host_keys(store, tmp_path)
    await check_host_keys(store, tmp_path)
    good = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(bytes(32))
    with pytest.raises(CommandError, match="are not those of this store"):
        await check_host_keys(store, tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(CommandError, match="are not those of this store"):
        await check_host_keys(store, tmp_path)
    assert not (tmp_path / name).exists()
    (tmp_path / name).write_bytes(good)
    (tmp_path / name).chmod(0o600)
    await check_host_keys(store, tmp_path)


async def test_a_live_match_is_let_go_of_when_another_server_has_the_store(tmp_path: Path, redis: RedisServer) -> None:
    clock = JumpingClock()
    store = await RedisStore.open(redis.first)
    await store.take_lease(tmp_path / "first", clock)
    async with running(tmp_path / "first", store=store) as run:
        ann, _ = await two_players(run)
        assert await ann.intend("draw") == ""
        version = run.server.lobby.tables()[0].host.match.version  # type: ignore[union-attr]
        redis.say("HSET", HOLDER, "beat", "0")
        other = await RedisStore.open(redis.first)
        await other.take_lease(tmp_path / "second", JumpingClock())
        assert await ann.intend("focus") != "", "a former owner has acknowledged"
        await ann.until(lambda: ann.closed is not None)
        assert await run.server.health.unready() == "another server has taken the store over"
        match = run.server.lobby.tables()[0].record.id
        assert await other.version(match_of(match)) == version
        await other.close()
    assert any(line["event"] == "store-taken" for line in run.lines)
