"""People and bots around one real table: windows in processes of their own, wire bots, a spectator."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine.core.bots.bot import Bot
from protocol.scene.nodes import ROW_NODE, Group, Row
from protocol.wire import from_client as say
from protocol.wire.from_server import Delta, FromServer, Snapshot, TableView
from server.cli.wire_bot import WirePlayer, WireView
from server.content.systems import find_systems
from server.runtime.clock import RealClock
from tests.support.clients.programs import Program, ServerProgram, until
from tests.support.fairness.receipt_keeper import Keeper
from tests.support.play.sightings import Sightings, from_file
from tests.support.runs.patience import PATIENCE

PLAYED = "done"
"""What is said of a card that was turned up for its faction; the cards of those who have fallen are passed over."""


class Window(Program):
    """The real client, its window in memory, played by mouse and keys alone by the robot of windows/robot.py."""

    def __init__(self, folder: Path, port: int, name: str, *arguments: str, seconds: float) -> None:
        self.folder = folder / name
        place = ("--server", f"127.0.0.1:{port}", "--name", name, "--folder", str(self.folder))
        super().__init__(
            folder, name, "tests.support.clients.windows.robot", *place, "--seconds", str(seconds), *arguments
        )

    @property
    def seen(self) -> Sightings:
        """Return the hashes of all that it has shown so far."""
        return from_file(self.folder / "hashes.jsonl")

    async def code(self, seconds: float = PATIENCE) -> str:
        """The invite code of the table that it has made."""
        file = self.folder / "code"
        await until(lambda: file.exists() or not self.is_running, seconds)
        assert file.exists(), self.end_told
        return file.read_text()

    @property
    def report(self) -> dict[str, Any]:
        """Return its report at its end."""
        report: dict[str, Any] = json.loads((self.folder / "result.json").read_text())
        return report


class Guest(WirePlayer):
    """Wire bot that records what it is shown. While `plays` is cleared it waits for a friend, as people do."""

    def __init__(self, url: str, code: str, name: str, kind: str = "level1", seed: int = 1) -> None:
        super().__init__(url, code, kind, name, seed, find_systems(), RealClock())
        self.seen = Sightings()
        self.plays = asyncio.Event()
        self.plays.set()
        self._keeper: Keeper | None = None
        self._unanswered: dict[bytes, say.Intent] = {}

    def keep_receipts(self, folder: Path) -> None:
        """Keep what the host signs, as the programs of people do."""
        self._keeper = Keeper(self.talk, folder / self.talk.name)

    @property
    def acknowledged(self) -> int:
        """Number of acts and answers acknowledged with receipts that are kept."""
        return len(self._keeper.acked) if self._keeper is not None else 0

    @property
    def seat(self) -> int:
        return self.talk.table.seat if self.talk.table is not None else -1

    @property
    def is_live(self) -> bool:
        """True once the match has begun for it."""
        return self.talk.scene is not None and self.talk.scene.is_whole

    async def _take(self, frame: bytes) -> None:
        self._unanswered = dict(self.talk.pending)
        await super()._take(frame)

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        if self._keeper is not None:
            self._keeper.hear([message], self._unanswered)
        if isinstance(message, Snapshot | Delta):
            self.seen.note(self.talk)

    async def _think(self, bot: Bot, view: WireView) -> None:
        await self.plays.wait()
        await super()._think(bot, view)


class Host(Guest):
    """Guest that makes a table, puts bots into all seats but its own and one other, and starts when that one is
    taken."""

    def __init__(self, url: str, scenario: str) -> None:
        super().__init__(url, "", "Host")
        self._scenario = scenario
        self._filled = self._started = False

    @property
    def code(self) -> str:
        """The invite code, once there is one."""
        return self.talk.table.code if self.talk.table is not None else ""

    def ask_for_seat(self) -> None:
        self.talk.say(say.CreateTable(system="action_cards", scenario=self._scenario, name="Host's"))

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        if not isinstance(message, TableView) or message.state != "open":
            return
        if not self._filled:
            self._filled = True
            for seat in message.seats[2:]:
                self.talk.say(say.AddBot(kind="level1", seat=seat.seat))
        if not self._started and all(seat.bot or seat.ready for seat in message.seats):
            self._started = True
            self.talk.say(say.StartMatch())


@asynccontextmanager
async def two_people(url: str) -> AsyncIterator[tuple[Host, Guest, list[asyncio.Task[object]]]]:
    """Let a host and a guest play beside a server's own bots within the block. Yields them and their tasks, which
    `until` takes."""
    host = Host(url, "low_water")
    playing: list[asyncio.Task[object]] = [asyncio.create_task(host.play())]
    try:
        await until(lambda: host.code, tasks=playing)
        guest = Guest(url, host.code, "Ann")
        playing.append(asyncio.create_task(guest.play()))
        yield host, guest, playing
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


class Spectator(Guest):
    """Guest that watches a table and counts the cards that were played, by faction."""

    def __init__(self, url: str, code: str) -> None:
        super().__init__(url, code, "Eve")
        self.played: dict[tuple[int, str], int] = {}

    def ask_for_seat(self) -> None:
        self.talk.say(say.WatchTable(code=self._code))

    @property
    def names(self) -> list[str]:
        """Names of the seats."""
        return [seat.name for seat in self.talk.table.seats] if self.talk.table is not None else []

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        row = self.talk.scene.nodes.get(ROW_NODE) if self.talk.scene is not None else None
        if isinstance(row, Row):
            self.played.update(((row.turn, card.id), card.owner) for card in row.cards if card.state == PLAYED)

    @property
    def units(self) -> int:
        """Number of groups on the table."""
        nodes = self.talk.scene.nodes.values() if self.talk.scene is not None else ()
        return sum(isinstance(node, Group) and len(node.pieces) > 0 for node in nodes)

    def cards_of(self, seat: int) -> int:
        """Return the number of cards of this seat that were played."""
        return sum(owner == seat for owner in self.played.values())


class Company:
    """All clients at one table. `pictures`: windows take some. Leaving the context ends all processes and tasks that
    were started."""

    def __init__(
        self,
        folder: Path,
        *,
        plugins: bool = False,
        server: type[ServerProgram] = ServerProgram,
        pictures: bool = False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.pictures = pictures
        self.server = server(folder, plugins=plugins)
        self.windows: list[Window] = []
        self.guests: list[Guest] = []
        self.tasks: list[asyncio.Task[object]] = []

    async def __aenter__(self) -> Company:
        await self.server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.dismiss()
        await self.server.end()

    async def window(self, name: str, *arguments: str, seconds: float = 600) -> Window:
        """Open a window."""
        wanted = ("--pictures",) if self.pictures else ()
        window = Window(self.folder, self.server.port, name, *wanted, *arguments, seconds=seconds)
        self.windows.append(window)
        await window.start()
        return window

    def guest(self, guest: Guest) -> None:
        """Connect a wire bot or a spectator."""
        self.guests.append(guest)
        self.tasks.append(asyncio.create_task(guest.play()))

    async def wait(self, condition: Callable[[], object], seconds: float) -> None:
        """Wait for a condition while all clients stay. Raises the first error of one of them."""

        def looked() -> bool:
            for window in self.windows:
                assert window.is_running, window.end_told
            return bool(condition())

        await until(looked, seconds, self.tasks)

    async def dismiss(self) -> None:
        """End all clients; the server stays."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(*(window.end() for window in self.windows))
