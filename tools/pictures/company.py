"""Four windows in the lobby of a real server with the shipped games, who keep their names and have a month behind
them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.support.lobby_evening.evening import NAMES, Evening
from tests.support.lobby_evening.visitor import Visitor
from tools.pictures.history import remember
from tools.pictures.unpaced_server import UnpacedServer

PASSWORD: Final = "three hares in a boat"
MODERATOR: Final = "Ben"
OPTIONS: Final = ("--moderator", MODERATOR, "--webhook-host", "discord.com", "--webhook-host", "hooks.slack.com")

WIDE: Final = (1280, 800)
SMALL: Final = (1040, 650)
"""Sizes of windows; those of the board are small, so that its pictures are."""
IN_SMALL: Final = ("Ben", "Dora")


@asynccontextmanager
async def company(folder: Path) -> AsyncIterator[Evening]:
    """Run the server with the four windows in its lobby, signed in and known to each other's tables."""
    server = UnpacedServer(folder, options=OPTIONS)
    await server.start()
    visitors = [Visitor(name, folder / name, SMALL if name in IN_SMALL else WIDE) for name in NAMES]
    try:
        four = Evening(visitors, folder)
        for visitor in visitors:
            visitor.come(server.port)
        await four.until(lambda: all(visitor.can("Create table") for visitor in visitors))
        for visitor in visitors:
            await _keep_name(four, visitor)
        people = [visitor.session.conversation.you for visitor in visitors]
        await server.end()
        await remember(server.data, people)
        await server.start()
        await four.until(lambda: all(visitor.session.status()[1] for visitor in visitors))
        for visitor in visitors:
            visitor.session.notice = ""
        yield four
    finally:
        for visitor in visitors:
            visitor.close()
        await server.end()


async def _keep_name(four: Evening, visitor: Visitor) -> None:
    await four.take(visitor, "Keep this name")
    await four.write(visitor, "New password, 8 characters at least", PASSWORD, enters=False)
    await four.write(visitor, "The same once more", PASSWORD)
    await four.until(lambda: visitor.session.registered_name)
