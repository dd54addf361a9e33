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
        return await asyncio.to_thread(_asked, port)
    finally:
        await server.end()


def _asked(port: int) -> str:
    connection = HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        return answer.read().decode()
    finally:
        connection.close()
