"""The numbers of a real server, as Prometheus gets them."""

from __future__ import annotations

import asyncio
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

from tests.support.clients.programs import ServerProgram
from tests.support.doubles.redis_server import free_port
from tests.support.runs.patience import PATIENCE
from tests.support.servers.certificates import certificate

HOST: Final = "127.0.0.1"


async def exposition(folder: Path) -> str:
    """Start a server with a certificate, so that none of its metrics is left out; return what its /metrics says."""
    cert, key = certificate(folder)
    port = free_port()
    options = ("--metrics", f"{HOST}:{port}", "--tls-cert", str(cert), "--tls-key", str(key))
    server = ServerProgram(folder, options=options)
    await server.start()
    try:
        status, text = await get(port, "/metrics")
        assert status == 200, status
        return text
    finally:
        await server.end()


async def get(port: int, path: str) -> tuple[int, str]:
    """Return the answer to an operator's program."""

    def ask() -> tuple[int, str]:
        connection = HTTPConnection(HOST, port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    return await asyncio.to_thread(ask)
