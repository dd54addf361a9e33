"""The orderly end of a server, after which those who played go on where they were."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from protocol.scene.nodes import Reply
from protocol.wire.from_server import Problem
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.gated_store import GatedStore
from tests.support.faults.kills.killing import DUEL, ServerProcess, check_end, seat_players
from tests.support.runs.patience import PATIENCE


async def test_everyone_hears_that_the_server_restarts(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await run.server.close()
        for player in (ann, ben):
            await player.until(lambda player=player: player.closed is not None)  # type: ignore[misc]  # a default has no type
            assert player.closed == (1012, "server/restart")
            goodbye = player.heard[-1]
            assert isinstance(goodbye, Problem)
            assert goodbye.code == "server/restart"
            assert not goodbye.fatal


async def act_under_way(run: Running, store: GatedStore) -> tuple[Client, bytes]:
    """Return one of two players, and the id of their act, which waits for the store."""
    ann, _ = await two_players(run)
    store.gate.clear()
    store.reached.clear()
    id = ann.talk.intend(Reply("focus", {}), bytes(16))
    await ann.flush()
    await store.reached.wait()
    return ann, id


async def test_a_step_under_way_is_finished_and_acknowledged(tmp_path: Path) -> None:
    store = GatedStore()
    async with running(tmp_path, store=store) as run:
        ann, id = await act_under_way(run, store)
        closing = asyncio.create_task(run.server.close())
        await asyncio.sleep(0)
        store.gate.set()
        await closing
        await ann.until(lambda: ann.closed is not None)
        assert id not in ann.talk.pending


@pytest.mark.waits(times=200)
async def test_a_step_that_does_not_end_holds_nobody_up(tmp_path: Path) -> None:
    store = GatedStore()
    async with running(tmp_path, store=store) as run:
        ann, id = await act_under_way(run, store)
        async with asyncio.timeout(PATIENCE):
            await run.server.close()
        await ann.until(lambda: ann.closed is not None)
        assert id in ann.talk.pending


async def test_what_is_said_after_the_end_began_is_said_to_the_next_server(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        run.server._gateway.stop()
        id = ann.talk.intend(Reply("focus", {}), bytes(16))
        await ann.flush()
        await ann.raw(b"anything")
        await run.server.close()
        await ann.until(lambda: ann.closed is not None)
        assert id in ann.talk.pending
    async with running(tmp_path) as run:
        ann.port = run.port
        await ann.connect()
        await ann.until(lambda: id not in ann.talk.pending)
        await ann.close()


async def test_no_handshake_is_taken_while_it_ends(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        run.server._gateway.stop()
        with pytest.raises((OSError, asyncio.TimeoutError)):
            await Client(run.port).connect()


@pytest.mark.waits(times=200)
async def test_a_real_server_ends_and_all_come_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    server = ServerProcess(DUEL, data, tmp_path / "server.log")
    await server.start()
    players, playing = await seat_players(DUEL, server.port, seed=3, receipts=tmp_path / "receipts")
    try:
        for _ in range(2):
            await until(lambda: sum(len(player.acts) for player in players) > 5)
            assert await server.stop(PATIENCE) == 0, (tmp_path / "server.log").read_text()[-3000:]
            for player in players:
                player.acts.clear()
            await server.start()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        assert all(player.result is not None for player in players)
        assert all(player.links == 3 for player in players)
        # a server that ends waits some seconds for a replay, which a busy machine takes longer to make
        await until(lambda: list(data.glob("replays/*.replay")))
        await server.stop(PATIENCE)
        check_end(DUEL, data)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await server.kill()


async def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    server = ServerProcess(DUEL, data, tmp_path / "server.log")
    await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\n")
    await writer.drain()
    server.signal(signal.SIGTERM)
    await until(lambda: '"stopping"' in (tmp_path / "server.log").read_text())
    server.signal(signal.SIGTERM)
    assert await server.ended(1.0) == -signal.SIGTERM
    assert await reader.read() == b""
    writer.close()
