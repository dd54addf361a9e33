"""The operator's listener: names it answers to, addresses it listens on, and how much it does at once."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from server.net.certificate import Certificate
from server.net.monitor import MOST_REQUESTS, is_own_host
from tests.support.clients.programs import until
from tests.support.clients.wire import running
from tests.support.runs.patience import PATIENCE
from tests.support.servers.certificates import certificate


async def status(host: str, port: int, name: str) -> int:
    """Ask for /healthz under a name; return the status."""

    def ask() -> int:
        connection = HTTPConnection(host, port, timeout=PATIENCE)
        try:
            connection.request("GET", "/healthz", headers={"Host": name})
            return connection.getresponse().status
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


@pytest.mark.parametrize("name", ["", "localhost", "LOCALHOST:9440", "127.0.0.1:9440", "127.9.9.9", "[::1]:9440"])
def test_names_of_this_computer(name: str) -> None:
    assert is_own_host(name)


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[", "10.0.0.1"])
def test_names_of_others(name: str) -> None:
    assert not is_own_host(name)


async def test_a_page_that_points_its_name_at_this_computer_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("127.0.0.1", 0)
        assert await status("127.0.0.1", port, "evil.example") == 403
        assert await status("127.0.0.1", port, f"localhost:{port}") == 200


async def test_where_others_may_ask_every_name_will_do(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("0.0.0.0", 0)
        assert await status("127.0.0.1", port, "metrics.example.org") == 200


async def test_it_listens_on_ipv6(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("::1", 0)
        assert await status("::1", port, f"[::1]:{port}") == 200


async def test_connections_beyond_its_threads_are_closed_and_it_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("127.0.0.1", 0)
        with ExitStack() as stack:
            for _ in range(MOST_REQUESTS):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            late = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            assert await asyncio.to_thread(late.recv, 1) == b""

        async def answers() -> bool:
            with suppress(OSError):
                return await status("127.0.0.1", port, "localhost") == 200
            return False

        await until(answers)


async def test_what_others_may_ask_needs_no_tls_beside_a_server_that_has_it(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    async with running(tmp_path, tls=Certificate(cert, key).context) as run:
        port = run.server.watch("0.0.0.0", 0)
        assert await status("127.0.0.1", port, "metrics.example.org:9440") == 200
        assert await status("127.0.0.1", port, "") == 200
