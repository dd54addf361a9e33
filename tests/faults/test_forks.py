"""Programs that the fork server starts are as those that a command line starts: processes of their own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from textwrap import dedent
from typing import Any

from tests.support.clients.programs import PLUGINS, ROOT, ServerProgram, until
from tests.support.clients.wire import Client
from tests.support.forks.forked_process import ForkedProcess, fork
from tests.support.runs.patience import PATIENCE
from tests.support.servers.bot_processes import is_alive

FACTS = "tests.support.forks.facts"
SETTINGS = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, PLUGINS))), "TZ": "Asia/Kathmandu", "ESCHATON_BOT_PAUSE": "2"}


async def outcome(process: asyncio.subprocess.Process | ForkedProcess) -> tuple[dict[str, Any], bytes, int]:
    """Return the facts that a program tells, the rest of its output after a line of input, and its exit status."""
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        told = json.loads(await process.stdout.readline())
        process.stdin.write("Größe\n".encode())
        await process.stdin.drain()
        rest, _ = await process.communicate()
    assert process.returncode is not None
    return told, rest, process.returncode


async def test_it_finds_what_one_finds_that_a_command_line_starts(tmp_path: Path) -> None:
    environment = {**os.environ, **SETTINGS}
    with (tmp_path / "forked").open("wb") as forked, (tmp_path / "started").open("wb") as started:
        ours = await fork(FACTS, "7", stdin=PIPE, stderr=forked.fileno(), environment=environment, folder=tmp_path)
        theirs = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", FACTS, "7"), stdin=PIPE, stdout=PIPE, stderr=started, env=environment, cwd=tmp_path
        )
        (found, *ends), (expected, *their_ends) = await outcome(ours), await outcome(theirs)
    assert ends == their_ends
    assert found.pop("chance") != expected.pop("chance")
    assert {name: (fact, expected[name]) for name, fact in found.items() if fact != expected[name]} == {}
    assert (tmp_path / "forked").read_bytes() == (tmp_path / "started").read_bytes() == b"heard\n"


async def test_its_end_is_told_as_it_was(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        for number in (signal.SIGTERM, signal.SIGKILL):
            process = await fork(FACTS, "0", stdin=PIPE, stderr=log.fileno())
            assert process.returncode is None
            assert is_alive(process.pid)
            process.send_signal(number)
            assert await process.wait() == process.returncode == -number
            assert not is_alive(process.pid)
            process.kill()
        interrupted = await fork(FACTS, "0", stdin=PIPE, stderr=log.fileno())
        assert interrupted.stdout is not None
        assert interrupted.stdin is not None
        await interrupted.stdout.readline()
        interrupted.send_signal(signal.SIGINT)
        # a signal just before it reads is taken after that
        interrupted.stdin.close()
        assert await interrupted.wait() == -signal.SIGINT
        wrong = await fork("tests.support.forks.missing", stderr=log.fileno())
        assert await wrong.communicate() == (b"", None)
        assert wrong.returncode == 1
    said = (tmp_path / "log").read_text()
    assert "KeyboardInterrupt" in said
    assert "No module named tests.support.forks.missing" in said


async def test_a_killed_server_has_closed_its_sockets_while_others_run(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    server, other = ServerProgram(tmp_path), ServerProgram(tmp_path / "other")
    try:
        await server.start()
        await other.start()
        ann = Client(server.port)
        await ann.connect()
        await server.kill()
        await ann.until(lambda: ann.closed is not None)
        await ann.close()
        port = server.port
        await server.start()
        assert server.port == port
    finally:
        await server.end()
        await other.end()


async def test_all_end_with_the_tests_however_those_end() -> None:
    code = f"""
        import asyncio, json, os
        from tests.support.forks.forked_process import fork
        from tests.support.servers.bot_processes import children

        async def main():
            program = await fork({FACTS!r}, "0", stdin=-1, stderr=2)
            print(json.dumps([program.pid, *children(os.getpid())]), flush=True)
            os.kill(os.getpid(), 9)

        asyncio.run(main())
    """
    tests = await asyncio.create_subprocess_exec(sys.executable, "-c", dedent(code), stdout=PIPE, cwd=ROOT)
    said, _ = await tests.communicate()
    program, fork_server = json.loads(said)
    assert tests.returncode == -signal.SIGKILL
    await until(lambda: not is_alive(program) and not is_alive(fork_server))


async def test_chance_is_its_own() -> None:
    drawn = set()
    for _ in range(2):
        process = await fork(FACTS, "0", stdin=PIPE, stderr=2)
        told, _, status = await outcome(process)
        drawn.add(told["chance"])
        assert status == 0
    assert len(drawn) == 2
