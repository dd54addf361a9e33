"""Renewal of the TLS certificate while the server runs; SIGHUP ends nothing without a drain."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import ssl
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.net.certificate import WATCH_SECONDS, Certificate
from server.runtime.logs import make_log
from tests.server.cli.test_process import ended, greet, serving
from tests.support.doubles.clock import JumpingClock
from tests.support.runs.patience import PATIENCE
from tests.support.servers.certificates import certificate

IN_A_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return certificate(tmp_path)


@asynccontextmanager
async def listening(shown: Certificate) -> AsyncIterator[int]:
    """Return the port of a listener with this certificate."""
    listener = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=shown.context)
    async with listener:
        yield listener.sockets[0].getsockname()[1]


async def seen(port: int, name: str | None = None) -> bytes:
    """Return the certificate that a client is shown, asked for by a name or by none."""
    anyone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=anyone, server_hostname=name or "127.0.0.1")
    link = writer.get_extra_info("ssl_object")
    assert isinstance(link, ssl.SSLObject)
    found = link.getpeercert(binary_form=True)
    writer.close()
    assert found is not None
    return found


def held(cert: Path) -> bytes:
    return ssl.PEM_cert_to_DER_cert(cert.read_text())


def told(log: io.StringIO) -> list[str]:
    """Return the events of a log."""
    return [json.loads(line)["event"] for line in log.getvalue().splitlines()]


async def test_a_new_certificate_is_shown_to_whoever_comes_next(files: tuple[Path, Path], tmp_path: Path) -> None:
    cert, key = files
    shown, log, before = Certificate(cert, key), io.StringIO(), held(cert)
    async with listening(shown) as port:
        assert await seen(port) == await seen(port, "play.example.org") == before
        certificate(tmp_path)
        assert await seen(port) == before
        shown.renew(make_log(log))
        assert await seen(port) == await seen(port, "play.example.org") == held(cert) != before
    assert told(log) == ["certificate-renewed"]


@pytest.mark.parametrize("fault", ["no key of it", "no certificate", "gone", "half", "locked"])
async def test_a_bad_certificate_leaves_the_one_of_before_and_the_log_says_why(
    files: tuple[Path, Path], tmp_path: Path, fault: str
) -> None:
    cert, key = files
    shown, log, before = Certificate(cert, key), io.StringIO(), held(cert)
    other = tmp_path / "other"
    other.mkdir()
    if fault == "no key of it":
        cert.write_bytes(certificate(other)[0].read_bytes())
    elif fault == "gone":
        key.unlink()
    elif fault == "locked":
        certificate(tmp_path, b"a password")
    else:
        cert.write_text("" if fault == "no certificate" else cert.read_text()[:200])
    async with listening(shown) as port:
        shown.renew(make_log(log))
        assert await seen(port) == before
        certificate(tmp_path)
        shown.renew(make_log(log))
        assert await seen(port) == held(cert) != before
    assert told(log) == ["certificate-refused", "certificate-renewed"]


async def test_it_is_watched_and_a_bad_one_is_told_once(files: tuple[Path, Path], tmp_path: Path) -> None:
    cert, key = files
    shown, log, clock = Certificate(cert, key), io.StringIO(), JumpingClock()
    watching = asyncio.create_task(shown.watch(clock, make_log(log)))

    async def later() -> list[str]:
        await clock.until_sleeping()
        clock.advance(WATCH_SECONDS)
        await asyncio.sleep(0)
        await clock.until_sleeping()
        return told(log)

    assert await later() == []
    mended = key.read_bytes()
    key.write_bytes(b"half of")
    assert await later() == await later() == ["certificate-refused"]
    key.write_bytes(mended)
    assert await later() == await later() == ["certificate-refused", "certificate-renewed"]
    certificate(tmp_path)
    assert await later() == ["certificate-refused", "certificate-renewed", "certificate-renewed"]
    watching.cancel()
    await asyncio.wait([watching])


async def test_sighup_reads_the_certificate_anew_and_ends_nothing(files: tuple[Path, Path], tmp_path: Path) -> None:
    cert, key = files
    async with serving(tmp_path / "data", "--tls-cert", str(cert), "--tls-key", str(key)) as (process, port):
        assert await seen(port) == held(cert)
        certificate(tmp_path)
        process.send_signal(signal.SIGHUP)
        await logged(process, "certificate-renewed")
        assert await seen(port) == held(cert)
        assert await greet(f"wss://127.0.0.1:{port}/", ssl.create_default_context(cafile=cert)) > 0
        key.write_bytes(b"")
        process.send_signal(signal.SIGHUP)
        await logged(process, "certificate-refused")
        assert await seen(port) == held(cert)
        assert [line["event"] for line in await ended(process)][-2:] == ["stopping", "stopped"]


async def test_sighup_without_a_certificate_ends_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as (process, port):
        process.send_signal(signal.SIGHUP)
        await logged(process, "hangup")
        assert await greet(f"ws://127.0.0.1:{port}/") > 0
        await ended(process)


async def logged(process: asyncio.subprocess.Process, event: str) -> None:
    """Wait until a server's log has this text."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while json.loads(await process.stderr.readline())["event"] != event:
            pass


async def test_a_server_whose_terminal_is_closed_ends_in_order(tmp_path: Path) -> None:
    mine, theirs = os.openpty()
    log = tmp_path / "log"
    words = ("-m", "server.cli.main", "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", IN_A_TERMINAL, *words), stdin=theirs, stdout=theirs, stderr=errors
        )
    os.close(theirs)
    try:
        said = b""
        # closed within the line, the terminal would refuse the rest of it
        while not said.endswith(b"\n"):
            said += await asyncio.to_thread(os.read, mine, 200)
        os.close(mine)
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert told(io.StringIO(log.read_text()))[-2:] == ["stopping", "stopped"]
    assert not (tmp_path / "data" / "server.json").exists()


async def test_a_server_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    quiet = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); {IN_A_TERMINAL}"
    mine, theirs = os.openpty()
    words = ("-m", "server.cli.main", "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", quiet, *words),
        stdin=theirs,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(theirs)
    try:
        assert process.stdout is not None
        port = json.loads(await process.stdout.readline())["port"]
        os.close(mine)
        assert await greet(f"ws://127.0.0.1:{port}/") > 0
        await ended(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
