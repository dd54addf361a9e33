"""The looking up of names of hosts, in threads of its own: a name server that is silent keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

HTTPS: Final = 443
THREADS: Final = 2


class Endpoint(NamedTuple):
    """An IP address and a port to connect to."""

    address: str
    port: int = HTTPS


Resolve = Callable[[str], Awaitable[Sequence[Endpoint]]]
"""Looks a name up, and returns where it leads, the best first. Raises OSError."""


class SystemResolver:
    """The resolver of this computer. When a look-up is cancelled its thread goes on; at most THREADS do."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "webhook-names")

    async def __call__(self, host: str) -> list[Endpoint]:
        """Return the addresses of a name. Raises OSError."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, _look_up, host)


def _look_up(host: str) -> list[Endpoint]:
    flags = socket.AI_ADDRCONFIG
    found = socket.getaddrinfo(host, HTTPS, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=flags)
    return [Endpoint(str(place[0])) for *_, place in found]
