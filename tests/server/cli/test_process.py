"""The command `serve` as a process of its own: its output and files, TLS, and its end."""

import asyncio
import json
import signal
import socket
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire.codec import encode_request
from protocol.wire.from_client import Hello
from tests.support.runs.patience import PATIENCE
from tests.support.servers.certificates import certificate


@asynccontextmanager
async def serving(data: Path, *options: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """A server process and the port it says it listens on."""
    command = [
        sys.executable,
        "-m",
        "server.cli.main",
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data",
        str(data),
        *options,
    ]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            said = json.loads(await process.stdout.readline())
        assert said["event"] == "listening"
        assert said["host"] == "127.0.0.1"
        yield process, said["port"]
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def ended(process: asyncio.subprocess.Process) -> list[dict[str, object]]:
    """Send SIGTERM, and return the lines of the log."""
    process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(PATIENCE):
        _, log = await process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in log.splitlines()]


async def test_a_proxy_names_its_visitors_before_and_after_tls(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    mine = ssl.create_default_context(cafile=cert)
    mine.check_hostname = False
    options = ("--trusted-proxy", "127.0.0.1", "--proxy-protocol", "--log-level", "debug")
    for tls, more in ((None, ()), (mine, ("--tls-cert", str(cert), "--tls-key", str(key)))):
        async with serving(tmp_path / "data", *options, *more) as (process, port):
            for visitor in ("192.0.2.7", "192.0.2.8"):
                plain = await asyncio.to_thread(socket.create_connection, ("127.0.0.1", port), PATIENCE)
                plain.sendall(f"PROXY TCP4 {visitor} 127.0.0.1 4711 443\r\n".encode())
                plain.setblocking(False)
                url = f"{'wss' if tls else 'ws'}://localhost:{port}"
                async with connect(url, sock=plain, ssl=tls, subprotocols=[Subprotocol(SUBPROTOCOL)]):
                    pass
            lines = await ended(process)
        assert len({line["address"] for line in lines if line["event"] == "connected"}) == 2


async def greet(url: str, tls: ssl.SSLContext | None = None) -> int:
    """Log in, and return the length of the answer."""
    async with connect(url, ssl=tls, subprotocols=[Subprotocol(SUBPROTOCOL)]) as socket:
        await socket.send(encode_request(Hello(version=VERSION, name="Ann")))
        return len(await socket.recv())


async def test_it_says_where_it_listens_and_cleans_up_after_itself(tmp_path: Path) -> None:
    async with serving(tmp_path) as (process, port):
        note = json.loads((tmp_path / "server.json").read_text())
        assert note == {"host": "127.0.0.1", "port": port, "pid": process.pid}
        assert await greet(f"ws://127.0.0.1:{port}/") > 0
        command = [sys.executable, "-m", "server.cli.main", "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path)]
        second = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
        _, said = await second.communicate()
        assert second.returncode == 1
        assert b"Another server uses" in said
        assert b"Traceback" not in said
        assert [line["event"] for line in await ended(process)] == [
            "listening",
            "entered",
            "closed",
            "stopping",
            "stopped",
        ]
        assert not (tmp_path / "server.json").exists()


async def test_what_it_makes_is_its_owners_alone_and_what_is_not_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "of mine" / "data"
    async with serving(folder) as (process, _):
        assert [line["event"] for line in await ended(process)] == ["listening", "stopping", "stopped"]
    assert not [path for path in (folder, *folder.rglob("*")) if path.is_dir() and path.stat().st_mode & 0o077]
    folder.chmod(0o750)
    async with serving(folder) as (process, _):
        warned = (await ended(process))[0]
    assert (warned["event"], warned["level"]) == ("open-to-others", "warning")
    assert warned["mend"] == f"chmod 700 '{folder}'"


async def test_a_port_that_is_taken_is_said_in_plain_words(tmp_path: Path) -> None:
    async with serving(tmp_path / "one") as (_, port):
        command = [sys.executable, "-m", "server.cli.main", "serve", "--listen", f"127.0.0.1:{port}"]
        second = await asyncio.create_subprocess_exec(
            *command, "--data", str(tmp_path / "two"), stderr=asyncio.subprocess.PIPE
        )
        _, said = await second.communicate()
        assert second.returncode == 1
        assert f"Cannot listen on 127.0.0.1:{port}".encode() in said


async def test_it_speaks_tls(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    async with serving(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key)) as (process, port):
        trusting = ssl.create_default_context(cafile=cert)
        assert await greet(f"wss://127.0.0.1:{port}/", trusting) > 0
        await ended(process)
