"""A real HTTPS server on loopback in the part of the host of a webhook, and the ways to it."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from server.webhooks.delivery import WebhookRoutes
from server.webhooks.resolver import Endpoint
from tests.support.clients.programs import until
from tests.support.servers.certificates import certificate

HOST: Final = "hooks.localhost"
"""A name of the certificate of `WebhookHost`."""
ADDRESS: Final = f"https://{HOST}/api/9?wait=1"
SILENCE: Final = b""
"""Answer of a host that keeps the connection open and says nothing."""
DONE: Final = b"HTTP/1.1 204 No Content\r\n\r\n"


class WebhookHost:
    """The host. It answers every request with `answer`, and keeps what came in `requests`: the head's lines and the
    body."""

    def __init__(self, folder: Path, tls: ssl.SSLContext, trust: ssl.SSLContext) -> None:
        self.folder = folder
        self.answer = DONE
        self.requests: list[tuple[list[str], bytes]] = []
        self.looked_up: list[str] = []
        self.port = 0
        self._tls = tls
        self._trust = trust
        self._open: set[asyncio.StreamWriter] = set()
        self.left = asyncio.Event()
        """Set when a sender has hung up."""

    @property
    def routes(self) -> WebhookRoutes:
        """Ways to this host, for a server under test."""
        return WebhookRoutes((HOST,), self.resolve, self._trust, lambda address: address == "127.0.0.1")

    async def resolve(self, host: str) -> Sequence[Endpoint]:
        """Look up a name as this host wishes."""
        self.looked_up.append(host)
        return [Endpoint("127.0.0.1", self.port)]

    @property
    def words(self) -> list[str]:
        """What people have been told, in order."""
        found: list[dict[str, Any]] = [json.loads(body) for _, body in self.requests]
        assert all(one == {"content": one["text"], "text": one["text"]} for one in found)
        return [one["text"] for one in found]

    async def told(self, count: int) -> list[str]:
        """Return what people have been told once it is so many messages."""
        await until(lambda: len(self.requests) >= count)
        return self.words

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
            [length] = [line.partition(": ")[2] for line in head if line.startswith("Content-Length: ")]
            self.requests.append((head, await reader.readexactly(int(length))))
            writer.write(self.answer)
            while await reader.read(1024):
                pass
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.left.set()
            self._open.discard(writer)
            writer.transport.abort()

    def answer_late(self, answer: bytes) -> None:
        """Answer now on all connections that are open."""
        for writer in self._open:
            writer.write(answer)

    def hang_up(self) -> None:
        """End all connections."""
        for writer in self._open:
            writer.transport.abort()


@asynccontextmanager
async def webhook_host(folder: Path) -> AsyncIterator[WebhookHost]:
    """Run a host on a free port of loopback."""
    folder.mkdir(exist_ok=True)
    cert, key = certificate(folder, names=(HOST,))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    host = WebhookHost(folder, tls, ssl.create_default_context(cafile=str(cert)))
    server = await asyncio.start_server(host.serve, "127.0.0.1", 0, ssl=tls)
    host.port = server.sockets[0].getsockname()[1]
    try:
        yield host
    finally:
        server.close()
        host.hang_up()
        await server.wait_closed()
