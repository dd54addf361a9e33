"""Bots think in processes of their own, which are replaced when they die and end with their server."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.rules.audience import Seat
from protocol.ids import MatchId
from protocol.limits import Bucket, Limits
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from server.cli.serving import run_loop
from server.match.bots.workers.pool import BotWorkers, NoProcess
from server.match.bots.workers.worker_process import ProcessEnded, WorkerProcess
from server.runtime.child_processes import NICE
from server.runtime.logs import make_log
from tests.support.clients.programs import ServerProgram, until
from tests.support.clients.wire import Client, Log, Running, duel, running, two_players
from tests.support.servers.bot_processes import children, is_alive
from tests.support.systems.odd_bots import DIED, odd_duel

QUICK = Limits(frames=Bucket(1000, 1000), handshakes_per_second=1000, sockets_per_address=1000, bot_seconds=0.1)


async def watched(run: Running, kind: str, scenario: str = "two") -> Client:
    """Ann watches a match in which a bot of this kind has her seat, and others the rest."""
    ann = await run.client("Ann")
    await ann.create(scenario)
    await ann.change(reaction_seconds=0, seconds=3600)
    assert ann.talk.table is not None
    for _ in ann.talk.table.seats[1:]:
        await ann.say(say.AddBot(kind=kind))
    await ann.say(say.StartMatch())
    await ann.my_turn()
    await ann.say(say.Concede())
    return ann


def version(run: Running) -> int:
    host = run.server.lobby.tables()[0].host
    assert host is not None
    return host.match.version


def ends(run: Running) -> list[object]:
    """Return the exit statuses of processes that ended while the server was running, as it has logged them."""
    return [line["status"] for line in run.lines if line["event"] == "bot-worker"]


def is_finished(run: Running) -> bool:
    return run.server.lobby.tables()[0].record.state == "finished"


async def test_a_server_has_no_such_process_before_a_bot_is_to_think_and_none_after_its_end(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await two_players(run)
        assert run.server.bot_workers.pids == []
        await run.clients[0].say(say.LeaveTable())
        await until(lambda: run.server.bot_workers.pids, 10)
        [pid] = run.server.bot_workers.pids
        nice = min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
        await until(lambda: os.getpriority(os.PRIO_PROCESS, pid) == nice, 10)
    assert not is_alive(pid)


async def one_killed(run: Running) -> None:
    """Kill a process in which bots think, and wait until they have played on."""
    workers = run.server.bot_workers
    await until(lambda: any(map(is_alive, workers.pids)), 20)
    [pid] = workers.pids
    os.kill(pid, signal.SIGKILL)
    await until(lambda: pid not in workers.pids, 20)
    reached = version(run)
    await until(lambda: version(run) > reached + 20 or is_finished(run), 20)


async def test_one_that_is_killed_is_replaced_and_the_match_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, limits=QUICK) as run:
        await watched(run, "random", "long")
        await until(lambda: version(run) > 20, 20)
        for _ in range(3):
            await one_killed(run)
        assert ends(run) == [-signal.SIGKILL] * 3
        assert not [line for line in run.lines if line["event"] == "parked"]


async def test_for_a_bot_that_ends_its_process_again_and_again_the_default_is_played(tmp_path: Path) -> None:
    async with running(tmp_path, systems=odd_duel(), limits=QUICK) as run:
        ann = await run.client("Ann")
        await ann.create()
        await ann.change(reaction_seconds=0, seconds=3600)
        await ann.say(say.AddBot(kind="deadly"))
        await ann.say(say.StartMatch())
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        # it has had its turn
        await ann.my_turn()
        await until(lambda: ends(run) == [DIED, DIED], 20)
        assert any("processes have died" in str(line.get("problem")) for line in run.lines)


async def test_one_that_hangs_is_ended_and_the_default_is_played(tmp_path: Path) -> None:
    async with running(tmp_path, systems=odd_duel(), limits=replace(QUICK, bot_silence_seconds=0.5)) as run:
        ann = await run.client("Ann")
        await ann.create()
        await ann.change(reaction_seconds=0, seconds=3600)
        await ann.say(say.AddBot(kind="stuck"))
        await ann.say(say.StartMatch())
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        await ann.my_turn()
        await until(lambda: ends(run) == [-signal.SIGKILL] * 2, 20)


@pytest.mark.parametrize("kind", ["broken", "ponderer"])
async def test_bots_that_fail_or_never_finish_do_not_hold_a_match_up(kind: str, tmp_path: Path) -> None:
    async with running(tmp_path, systems=odd_duel(), limits=QUICK) as run:
        await watched(run, kind)
        await until(lambda: is_finished(run), 20)
        assert not ends(run)
        assert any("no idea" in str(line.get("problem")) for line in run.lines) == (kind == "broken")


async def test_matches_are_spread_and_each_stays_where_it_is() -> None:
    workers = BotWorkers(make_log(Log()), most=2)
    system = duel()["duel"].system
    try:
        copies = [await workers.copy(system, MatchId(f"m{n}"), bytes(32), []) for n in range(4)]
        assert len(workers.pids) == 2
        assert [mirror._line.pid for mirror in copies] == [workers.pids[n % 2] for n in range(4)]
        copies[1].close()
        fifth = await workers.copy(system, MatchId("m5"), bytes(32), [])
        assert fifth._line.pid == workers.pids[1]
        pids = workers.pids
    finally:
        await workers.close()
    assert not any(map(is_alive, pids))
    with pytest.raises(NoProcess):
        await workers.copy(system, MatchId("m6"), bytes(32), [])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_they_end_with_a_server_however_that_ends(how: signal.Signals, tmp_path: Path) -> None:
    server = ServerProgram(tmp_path)
    await server.start()
    client = Client(server.port)
    try:
        await client.connect()
        await client.say(say.CreateTable(system="action_cards", scenario="harrow_cross", name="Bots"))
        await client.arrived()
        for _ in range(3):
            await client.say(say.AddBot(kind="level3"))
        await client.say(say.StartMatch())
        await client.until(lambda: client.state == "live")
        await client.say(say.Concede())
        assert server.pid is not None
        await until(lambda: children(server.pid or 0), 20)
        [pid] = children(server.pid)
        os.kill(server.pid, how)
        await until(lambda: not is_alive(pid), 20)
    finally:
        await client.close()
        await server.end()


async def test_what_is_asked_of_one_that_has_ended_is_told_at_once(tmp_path: Path) -> None:
    workers = BotWorkers(make_log(Log()), most=1)
    try:
        copy = await workers.copy(duel()["duel"].system, MatchId("m1"), bytes(32), [])
        os.kill(workers.pids[0], signal.SIGKILL)
        async with asyncio.timeout(10):
            with pytest.raises(ProcessEnded):
                await copy.think(Seat(0), 1.0)
            await until(lambda: copy.is_lost and not workers.pids, 10)
            with pytest.raises(ProcessEnded):
                await copy.think(Seat(0), 1.0)
    finally:
        await workers.close()


def kill_unheard(pid: int) -> None:
    """Kill a process and wait until it is dead; the loop, which does not run meanwhile, has not heard of it."""
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


async def one_that_dies_unheard() -> int:
    """Ask a process that was killed for a decision at each turn of the loop, until its end is heard; return how often
    that was."""
    line = await WorkerProcess.start(lambda _: None, QUICK.bot_silence_seconds)
    kill_unheard(line.pid)
    asked: list[asyncio.Future[Reply]] = []
    while not line.has_ended:
        asked.append(line.think(1, Seat(0), 1.0))
        await asyncio.sleep(0)
    for outcome in await asyncio.gather(*asked, return_exceptions=True):
        assert isinstance(outcome, ProcessEnded)
    await line.close()
    return len(asked)


def test_what_is_asked_of_a_process_whose_end_is_not_heard_yet_is_lost_like_all_before_it() -> None:
    assert run_loop(one_that_dies_unheard()) > 0
