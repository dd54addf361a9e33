"""Visitors of a server behind a proxy, from several addresses of loopback, and what each of them must be to it."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from contextlib import AsyncExitStack
from http import HTTPStatus
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import InvalidStatus

from protocol.limits import Limits
from tests.support.clients.programs import ServerProgram, until
from tests.support.clients.wire import Client
from tests.support.runs.patience import PATIENCE
from tests.support.servers.proxies import Kind, Proxy, proxying
from tests.support.servers.registration import PASSWORD, keeps

FIRST, SECOND, THIRD = "127.0.0.1", "127.0.0.2", "127.0.0.3"
PROMISED: Final = Limits()
FORGED: Final = {"X-Forwarded-For": "192.0.2.66", "Forwarded": "for=192.0.2.66"}
"""What a visitor says to be somebody else."""
LET_IN: Final = HTTPStatus.SWITCHING_PROTOCOLS
PAUSE: Final = 0.05
"""Seconds between two tries of a visitor whom the rate of handshakes keeps out."""


class Site:
    """A server with a proxy before it."""

    def __init__(self, server: ServerProgram, proxy: Proxy, stack: AsyncExitStack) -> None:
        self.proxy = proxy
        self._server = server
        self._stack = stack
        self._tls = ssl.create_default_context(cafile=proxy.certificate)

    def lines(self, event: str) -> list[dict[str, Any]]:
        """Return the lines of the server's log of this event."""
        lines = [json.loads(line) for line in self._server.log.read_text().splitlines()]
        return [line for line in lines if line["event"] == event]

    async def visit(self, name: str, address: str, *, password: str | None = None, greet: bool = True) -> Client:
        """Return a client at this address once the server has taken its connection."""
        client = Client(self.proxy.port, name, address=address, tls=self._tls, headers=FORGED)
        client.talk.password = password

        async def is_in() -> bool:
            return await self._answer(client, greet=greet) == LET_IN

        await until(is_in, pause=PAUSE)
        self._stack.push_async_callback(client.close)
        return client

    async def is_kept_out(self, address: str, reason: str) -> None:
        """Wait until the server has refused this address for this reason. Raises AssertionError where it lets it in."""

        async def has_refused() -> bool:
            answer = await self._answer(client, greet=False)
            await client.close()
            assert answer != LET_IN, f"{address} is let in"
            return any(line["reason"] == reason for line in self.lines("kept-out"))

        client = Client(self.proxy.port, address=address, tls=self._tls, headers=FORGED)
        await until(has_refused, pause=PAUSE)

    async def _answer(self, client: Client, *, greet: bool) -> int:
        """Return the status of the answer to an opening: LET_IN, or too many requests. Raises InvalidStatus."""
        try:
            await client.connect(greet=greet)
        except InvalidStatus as refused:
            if refused.response.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                raise
            return refused.response.status_code
        return LET_IN

    def begin_silently(self, address: str) -> socket.socket:
        """Begin to open a connection that says nothing; the site's end closes it."""
        plain = self._stack.enter_context(socket.socket())
        plain.setblocking(False)
        plain.bind((address, 0))
        plain.connect_ex(("127.0.0.1", self.proxy.port))
        return plain

    async def guesses(self, name: str, address: str, password: str) -> bool:
        """Return True where this password lets somebody in."""
        client = await self.visit(name, address, password=password)
        await client.close()
        return client.talk.ended is None

    async def status(self, path: str, *, body: bytes | None = None, headers: dict[str, str] | None = None) -> int:
        """Return the status of the answer to a request that is no WebSocket."""

        def ask() -> int:
            link = HTTPSConnection("localhost", self.proxy.port, timeout=PATIENCE, context=self._tls)
            try:
                link.request("GET" if body is None else "POST", path, body, headers or {})
                return link.getresponse().status
            finally:
                link.close()

        return await asyncio.to_thread(ask)


def is_over(plain: socket.socket) -> bool:
    """Return True where the other side has closed this connection, over which nothing comes."""
    try:
        return plain.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


async def behind(kind: Kind, folder: Path, stack: AsyncExitStack) -> Site:
    """Start a server with its promised limits, and a proxy before it; the stack ends both."""
    folder.mkdir(exist_ok=True)
    options = ("--log-level", "debug", *kind.options)
    server = ServerProgram(folder, options=options)
    await server.start()
    stack.push_async_callback(server.end)
    proxy = await stack.enter_async_context(proxying(folder / "proxy", kind, server.port))
    return Site(server, proxy, stack)


async def each_is_themselves(site: Site) -> None:
    """Let an address fill what it may open, and see that others come in; then let it lock itself out, and see that
    others sign in."""
    crowd = [await site.visit("Cy", SECOND, greet=False) for _ in range(PROMISED.sockets_per_address)]
    await site.is_kept_out(SECOND, "sockets")
    ann = await site.visit("Ann", FIRST)
    dee = await site.visit("Dee", THIRD)
    for client in crowd:
        await client.close()
    await keeps(ann)
    for number in range(PROMISED.failures_per_address):
        assert not await site.guesses(f"Somebody {number}", SECOND, "a wrong password")
    assert not await site.guesses("Ann", SECOND, PASSWORD)
    assert await site.guesses("Ann", THIRD, PASSWORD)
    assert dee.closed is None
    refused = site.lines("sign-in-refused")
    assert {line["address"] for line in refused} == {line["address"] for line in site.lines("kept-out")}
    assert [line["outcome"] for line in refused].count("locked") == 1
    assert len({line["address"] for line in site.lines("connected")}) == 3
    assert site.lines("proxy-refused") == site.lines("proxy-silent") == []
