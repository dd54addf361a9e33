"""Registration of names and sign-in, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import NameKept
from tests.support.clients.wire import Client, Running, running

PASSWORD = "seven grey herons"
CHEAP = Limits(password_kib=8, password_passes=1, handshakes_per_second=1000, sockets_per_address=1000)


@asynccontextmanager
async def cheaply(data: Path, limits: Limits = CHEAP, **options: Any) -> AsyncIterator[Running]:
    """Run a server whose password hashes cost next to nothing."""
    async with running(data, limits=limits, **options) as run:
        yield run


async def keeps(client: Client, password: str = PASSWORD, old: str | None = None) -> str:
    """Register the name, or change its password, and return the registered name."""
    await client.say(say.KeepName(password=password, old=old))
    return (await client.hear(NameKept)).name


async def may_keep(client: Client, password: str = PASSWORD, old: str | None = None) -> str:
    """Return the code with which registering the name is refused."""
    await client.say(say.KeepName(password=password, old=old))
    return await client.problem()


async def signs_in(run: Running, name: str = "Ann", password: str = PASSWORD, address: str = "127.0.0.1") -> Client:
    """Return a client at another computer that signs in; its conversation tells if it was let in."""
    client = Client(run.port, name, address=address)
    client.talk.password = password
    run.clients.append(client)
    await client.connect()
    return client


async def refusal(run: Running, name: str = "Ann", password: str = PASSWORD, address: str = "127.0.0.1") -> str:
    """Return the code with which signing in is refused; empty where it is not."""
    client = await signs_in(run, name, password, address)
    ended = client.talk.ended
    await client.close()
    return ended.code if ended is not None else ""
