"""Servers that die at chosen points of the append path, under matches that go on through every crash."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.match.stored_log import CLOSED_ANSWERS, act_name
from server.runtime.crash_points import CrashPoint
from tests.support.clients.programs import until
from tests.support.faults.kills.crashing import CrashServer, Pair, check_file, check_match

Death = tuple[CrashPoint, int]
"""The point at which a server dies, and at which passing of it."""


class Fate:
    """Planned deaths of servers, one after another, met by all who play there."""

    def __init__(self, server: CrashServer, deaths: Iterable[Death]) -> None:
        self.server = server
        self.crashes = 0
        self.is_last = False
        self._deaths = iter(deaths)
        self._recovering = asyncio.Lock()
        self._read = 0
        self._kept = b""

    async def after(self, crashes: int) -> None:
        """Wait until the server is back after a number of crashes, and what it left on the disk is whole."""
        async with self._recovering:
            if self.crashes == crashes:
                assert await self.server.ended() == signal.SIGKILL
                await self.go_on()

    async def go_on(self) -> None:
        """Start another server in place of the dead one, which is to die in its own way."""
        while True:
            self.crashes += 1
            self._look()
            death = next(self._deaths, None)
            self.is_last = death is None
            if await self.server.serve(*(death or ())):
                return

    def was_kept(self, seat: int, id: bytes) -> bool:
        """Tell if the last server left this act on the disk, not counting steps from before its start."""
        return id in self._kept or act_name(seat, id) in self._kept

    def _look(self) -> None:
        path = self.server.data / "eschaton.db"
        check_file(path)
        database = sqlite3.connect(path)
        try:
            steps = database.execute("SELECT rowid, step FROM steps WHERE rowid > ? ORDER BY rowid", (self._read,))
            answers = "SELECT 0, answer FROM sealed UNION ALL SELECT 0, data FROM records WHERE kind = ?"
            found = [*database.execute(answers, (CLOSED_ANSWERS,)), *steps]
        finally:
            database.close()
        self._read = max([self._read, *[row for row, _ in found]])
        self._kept = b"".join([data for _, data in found])


class Doomed(Pair):
    """A pair at a server with a fate."""

    def __init__(self, fate: Fate) -> None:
        super().__init__(fate.server)
        self._fate = fate

    async def _recover(self) -> None:
        await self._fate.after(self.crashes)
        self.crashes = self._fate.crashes
        for player in self.players:
            with suppress(ConnectionClosed, OSError, InvalidHandshake):
                await player.connect()

    def _was_kept(self, seat: int, id: bytes) -> bool:
        return self._fate.was_kept(seat, id)


async def act_together(server: CrashServer, pairs: Sequence[Pair]) -> None:
    """Let each pair act; the server stands still until all have sent, so that it gets all acts at once."""
    await asyncio.gather(*[pair.be_ready() for pair in pairs])
    server.signal(signal.SIGSTOP)
    acting = [asyncio.create_task(pair.play_on()) for pair in pairs]
    # a closed link shows that the server had died before it was stopped
    await until(lambda: all(pair.has_sent or any(player.closed for player in pair.players) for pair in pairs))
    server.signal(signal.SIGCONT)
    await asyncio.gather(*acting)


async def crash_again_and_again(folder: Path, deaths: Sequence[Death], tables: int = 1) -> dict[str, float]:
    """Play at a number of tables while one server after another dies in the given way; then check all.

    All act at the same moment, so that many acts are under way when a server dies. Returns counts of what happened.
    """
    data = folder / "data"
    data.mkdir(parents=True)
    server = CrashServer(data, folder / "server.log")
    await server.open()
    fate = Fate(server, deaths)
    pairs = [Doomed(fate) for _ in range(tables)]
    try:
        assert await server.serve()
        for pair in pairs:
            await pair.seat()
        await server.kill()
        await fate.go_on()
        for _ in range(40 * len(deaths)):
            if fate.is_last:
                break
            await act_together(server, pairs)
        assert fate.is_last, "the servers do not die as they should"
        for _ in range(4):
            await asyncio.gather(*[pair.play_on() for pair in pairs])
        for pair in pairs:
            await pair.settle()
        await server.kill()
        found: Counter[str] = Counter(crashes=fate.crashes)
        for pair in pairs:
            found.update(await check_match(pair) | {"retried": pair.retried, "refused": pair.refused})
        return dict(found)
    finally:
        for pair in pairs:
            await pair.close()
        await server.close()
