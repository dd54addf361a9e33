"""Matches of bots, one after another at several tables, each watched by the person who opened it until it is decided:
they disconnect at once, so that no client is connected when its end is stored."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from protocol.wire import from_client as say
from tests.support.clients.programs import Program
from tests.support.clients.wire import Client

SCENARIO: Final = "harrow_cross"
SEATS: Final = 4
TABLES: Final = 4
"""At which a match is played at a time."""
MOST_LIVE: Final = 2 * TABLES
"""Matches that are played or wait for their replays: these are written one after another, by processes that give way to
all else, and bots at full speed would be ever further ahead of them."""
MATCH_SECONDS: Final = 600.0
LATER: Final = 1_000_000
"""Names of people and tables are counted from here on, where there have been others."""


class SoakServer(Program):
    """Program of the soak server, on the data in `folder`."""

    def __init__(self, folder: Path) -> None:
        (folder / "data").mkdir(exist_ok=True)
        super().__init__(folder, "server", "tests.support.soak.server", str(folder / "data"), is_held=True)
        self.port = 0

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        await super().start()
        port = (await self.said())["port"]
        assert isinstance(port, int)
        self.port = port

    async def memory(self) -> dict[str, int]:
        """Return its memory after a full collection: "bytes", "blocks", and "left" of matches."""
        await self.send(b"memory\n")
        return {name: int(str(value)) for name, value in (await self.said()).items()}


async def play(port: int, number: int) -> None:
    """Play one match, from the opening of its table until it is decided, once there is room for it."""
    client = Client(port, f"Person {number}")
    await client.connect()
    await client.until(lambda: live_tables(client) < MOST_LIVE)
    await client.say(say.CreateTable(system="action_cards", scenario=SCENARIO, name=f"Table {number}"))
    await client.arrived()
    await client.say(say.ChangeTable(reaction_seconds=0))
    for _ in range(SEATS - 1):
        await client.say(say.AddBot(kind="random"))
    await client.say(say.StartMatch())
    await client.until(lambda: client.state == "live")
    await client.say(say.Concede())
    await until_decided(client)
    await client.close()


def live_tables(client: Client) -> int:
    """Count the live matches in the lobby that this client sees."""
    lobby = client.talk.lobby
    return MOST_LIVE if lobby is None else sum(row.state == "live" for row in lobby.tables)


async def until_decided(client: Client) -> None:
    """Wait until the table shows a result, dropping all frames."""
    async with asyncio.timeout(MATCH_SECONDS):
        while client.talk.scene is None or "result" not in client.talk.scene.nodes:
            client.heard.clear()
            client.frames.clear()
            await client.changed()


async def once(server: SoakServer) -> int:
    """Play one match at each table at the same time, and return their number."""
    async with asyncio.TaskGroup() as tables:
        for number in range(TABLES):
            tables.create_task(play(server.port, LATER + number))
    return TABLES


async def soak(server: SoakServer, seconds: float) -> int:
    """Play matches for this time, and those that have begun to their end; return their number."""
    until, count = time.monotonic() + seconds, 0

    async def table() -> None:
        nonlocal count
        while time.monotonic() < until:
            count += 1
            await play(server.port, count)

    async with asyncio.TaskGroup() as tables:
        for _ in range(TABLES):
            tables.create_task(table())
    return count
