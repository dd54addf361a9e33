"""A server that a window started for itself ends when nobody has been connected for long, and only then."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from protocol.limits import Limits
from tests.support.clients.programs import until
from tests.support.clients.quick_server import QuickServer
from tests.support.clients.wire import Running, running
from tests.support.runs.patience import PATIENCE

LONG = Limits().unused_seconds


async def is_over(unused: asyncio.Task[None], run: Running, seconds: float) -> bool:
    """Let time pass, and return True where the server is then unused."""
    run.clock.advance(seconds)
    for _ in range(10):
        await asyncio.sleep(0)
    return unused.done()


async def test_a_server_that_nobody_comes_to_is_unused_after_a_while(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        unused = asyncio.create_task(run.server.unused())
        await asyncio.sleep(0)
        assert not await is_over(unused, run, LONG - 1)
        assert await is_over(unused, run, 1)


async def test_the_while_begins_anew_when_the_last_one_goes(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        unused = asyncio.create_task(run.server.unused())
        assert not await is_over(unused, run, LONG - 1)
        ann = await run.client("Ann")
        assert not await is_over(unused, run, 1)
        assert not await is_over(unused, run, LONG - 1)
        assert run.server.metrics.sockets == 1
        await ann.close()
        await until(lambda: run.server.metrics.sockets == 0)
        assert not await is_over(unused, run, LONG - 1)
        assert await is_over(unused, run, 1)


async def test_it_ends_cleanly_and_says_why(tmp_path: Path) -> None:
    """Run a real server whose limit is half a second."""
    server = QuickServer(tmp_path, options=("--until-unused",))
    await server.start()
    try:
        assert await server.wait(PATIENCE) == 0
    finally:
        await server.end()
    events = [json.loads(line)["event"] for line in server.log.read_text().splitlines()]
    assert events == ["listening", "unused", "stopping", "stopped"]
    assert not (server.data / "server.json").exists()
