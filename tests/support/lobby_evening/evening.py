"""Four people at windows of their own, and a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from protocol.wire.client_message import Message
from protocol.wire.from_server import TableView
from tests.support.clients.programs import Program, until
from tests.support.lobby_evening.visitor import Visitor, Way
from tests.support.runs.patience import PATIENCE

FRAME_SECONDS: Final = 0.05
"""That pass for the windows from one look to the next."""
LOOK_SECONDS: Final = 0.03
"""From one look to the next: each costs the windows a layout."""
LAST_NOTICES: Final = 3
"""Notices of each window that a failure tells: they go by themselves, long before patience ends."""
NAMES: Final = ("Ann", "Ben", "Cid", "Dora")


class Evening:
    """The four of them. `folder`: for what their programs keep."""

    def __init__(self, visitors: Sequence[Visitor], folder: Path) -> None:
        self.visitors = visitors
        self.ann, self.ben, self.cid, self.dora = visitors
        self.folder = folder

    @property
    def said(self) -> set[type[Message]]:
        """Kinds of the messages that any of the windows has sent."""
        return {kind for visitor in self.visitors for kind in visitor.said}

    def go_by(self, way: Way) -> None:
        """Let all of them do everything by mouse, or by keys, from now on."""
        for visitor in self.visitors:
            visitor.way = way

    async def until(self, condition: Callable[[], object]) -> None:
        """Let the windows run until something holds. Raises AssertionError with what they show and have told last where
        it never does."""

        def look() -> bool:
            for visitor in self.visitors:
                visitor.app.step(FRAME_SECONDS)
            return bool(condition())

        try:
            await until(look, PATIENCE, pause=LOOK_SECONDS)
        except TimeoutError:
            shown = {one.name: (one.notices[-LAST_NOTICES:], sorted(one.app.labels())) for one in self.visitors}
            raise AssertionError(shown) from None

    async def take(self, visitor: Visitor, *labels: str) -> None:
        """Take one thing after another, each as soon as it can be taken."""
        for label in labels:
            await self.until(lambda label=label: visitor.can(label))  # type: ignore[misc]  # a default has no type
            visitor.take(label)

    async def write(self, visitor: Visitor, label: str, words: str, *, enters: bool = True) -> None:
        """Write into a field as soon as it is there."""
        await self.until(lambda: visitor.can(label))
        visitor.write(label, words, enters=enters)

    async def to_lobby(self) -> None:
        """Let all who are at the server close what is open, and go to the lobby."""
        here = [one for one in self.visitors if one.navigator.session is not None]
        for visitor in here:
            visitor.close_pages()
            visitor.navigator.to_lobby()
        await self.until(lambda: all(one.is_in_lobby for one in here))

    async def told(self, visitor: Visitor, fits: Callable[[TableView], object]) -> None:
        """Wait until the table where somebody is fits."""
        await self.until(lambda: visitor.table is not None and fits(visitor.table))


@asynccontextmanager
async def evening(folder: Path) -> AsyncIterator[Evening]:
    """Run a server with four windows in its lobby."""
    (folder / "data").mkdir()
    server = Program(folder, "server", "tests.support.lobby_evening.server", str(folder / "data"), "0", is_forked=True)
    await server.start()
    port = int(str((await server.said())["port"]))
    visitors = [Visitor(name, folder / name) for name in NAMES]
    try:
        four = Evening(visitors, folder)
        for visitor in visitors:
            visitor.come(port)
        await four.until(lambda: all(visitor.can("Create table") for visitor in visitors))
        yield four
    finally:
        for visitor in visitors:
            visitor.close()
        await server.end()
