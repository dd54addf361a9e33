"""`eschaton-server serve --store`: where matches are kept, and whom it refuses in plain words."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.support.redis_server import RedisServer


async def refused(data: Path, *options: str) -> str:
    """What a server says that does not start."""
    command = [sys.executable, "-m", "server.main", "serve", "--listen", "127.0.0.1:0", "--data", str(data), *options]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    _, said = await process.communicate()
    assert process.returncode == 1 and b"Traceback" not in said
    return said.decode()


async def listens(data: Path, *options: str) -> None:
    """A server that starts, and is ended."""
    command = [sys.executable, "-m", "server.main", "serve", "--listen", "127.0.0.1:0", "--data", str(data), *options]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdout is not None
    assert json.loads(await process.stdout.readline())["event"] == "listening"
    process.terminate()
    assert await process.wait() == 0


async def test_a_file_of_ones_own_choice_is_used(tmp_path: Path) -> None:
    await listens(tmp_path / "data", "--store", f"sqlite:{tmp_path / 'elsewhere' / 'matches.db'}")
    assert (tmp_path / "elsewhere" / "matches.db").exists() and not (tmp_path / "data" / "eschaton.db").exists()


async def test_redis_is_used_and_no_file_is_made(tmp_path: Path, redis_server: RedisServer) -> None:
    await listens(tmp_path, "--store", redis_server.place())
    assert not list(tmp_path.glob("*.db"))


async def test_a_redis_that_may_lose_writes_is_refused_until_its_loss_is_accepted(tmp_path: Path) -> None:
    server = RedisServer(tmp_path / "redis", ("--appendonly", "yes", "--appendfsync", "everysec"))
    said = await refused(tmp_path, "--store", server.place())
    assert "appendfsync always" in said and "--accept-loss everysec" in said
    await listens(tmp_path, "--store", server.place(), "--accept-loss", "everysec")
    server.close()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ("--store", "postgres://here"),
            "'postgres://here' is no store. Write sqlite:PATH or redis://HOST:PORT/NUMBER.",
        ),
        (("--store", "redis://127.0.0.1:1/0"), "Redis at 127.0.0.1:1 cannot be reached"),
        (("--accept-loss", "everysec"), "--accept-loss is for Redis"),
    ],
)
async def test_what_cannot_be_used_is_named(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    assert why in await refused(tmp_path, *options)
