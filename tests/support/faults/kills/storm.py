"""Several matches played while their server, or the Redis below it, is killed again and again.

Two players a match (crashing.Pair), who repeat each act until it is acknowledged. Every record is checked by
check_match: each act once, in the order in which they were done, every acknowledgement and picture that of the log.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.support.doubles.redis_server import RedisServer
from tests.support.faults.kills.crashing import CrashServer, Pair, check_file, check_match
from tests.support.runs.patience import PATIENCE

COUPLES = 4
LONGEST_PEACE = 0.04
FILE_CHECKS = 10


class Couple(Pair):
    """Pair that comes back by itself when the storm has a server again."""

    def __init__(self, server: CrashServer, up: asyncio.Event) -> None:
        super().__init__(server)
        self.played = asyncio.Event()
        self.is_last = False
        self._up = up

    async def play(self) -> None:
        """Play act after act, until the last one wanted."""
        while not self.is_last:
            await self.play_on()
            self.played.set()

    async def _recover(self) -> None:
        self.crashes += 1
        await self._up.wait()
        for player in self.players:
            if player.closed is not None:
                with suppress(ConnectionClosed, OSError, InvalidHandshake, EOFError):
                    await player.connect()


class Storm:
    """A server with couples at it. `redis` is the store of its matches; without it, a file."""

    def __init__(self, folder: Path, seed: int, redis: RedisServer | None = None) -> None:
        data = folder / "data"
        data.mkdir(parents=True)
        store = redis.place() if redis is not None else ""
        self.server = CrashServer(data, folder / "server.log", store)
        self.up = asyncio.Event()
        self.couples = [Couple(self.server, self.up) for _ in range(COUPLES)]
        self.kills = 0
        self._redis = redis
        self._chance = random.Random(seed)
        self._playing: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        await self.server.open()
        assert await self.server.serve()
        self.up.set()
        for couple in self.couples:
            await couple.seat()
        self._playing = [asyncio.create_task(couple.play()) for couple in self.couples]

    async def some_play(self) -> None:
        """Play until every couple has had an act acknowledged, and a random moment longer."""
        for couple in self.couples:
            couple.played.clear()
        everyone = asyncio.create_task(self._all_have_played())
        await asyncio.wait([everyone, *self._playing], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        for task in self._playing:
            if task.done():
                task.result()
        assert everyone.done(), "the matches stand still"
        await asyncio.sleep(self._chance.random() * LONGEST_PEACE)

    async def _all_have_played(self) -> None:
        for couple in self.couples:
            await couple.played.wait()

    async def kill_server(self) -> None:
        """Send SIGKILL, and start another server on the same port."""
        self.up.clear()
        await self.server.kill()
        self.kills += 1
        if self._redis is None and self.kills % FILE_CHECKS == 0:
            check_file(self.server.data / "eschaton.db")
        assert await self.server.serve()
        self.up.set()

    async def kill_redis(self) -> None:
        """Send SIGKILL, and start Redis again on the same files; the server lives on."""
        assert self._redis is not None
        self._redis.kill()
        self.kills += 1
        await asyncio.to_thread(self._redis.start)

    async def end(self) -> dict[str, float]:
        """Play a little more, then check every record. Return counts of what happened."""
        await self.some_play()
        for couple in self.couples:
            couple.is_last = True
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self._playing)
            for couple in self.couples:
                await couple.settle()
        await self.server.kill()
        figures = Counter[str](kills=self.kills)
        for couple in self.couples:
            found = await check_match(couple)
            figures.update({name: int(value) for name, value in found.items()})
            figures.update(retried=couple.resent, refused=couple.refused)
        return dict(figures)

    async def close(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        for couple in self.couples:
            await couple.close()
        await self.server.close()


async def rage(
    folder: Path, seed: int, kills: int, redis: RedisServer | None = None, victim: str = "server"
) -> dict[str, float]:
    """Kill "server" or "redis" a number of times at random moments under play; return counts of what happened."""
    storm = Storm(folder, seed, redis)
    try:
        await storm.begin()
        for _ in range(kills):
            await storm.some_play()
            await (storm.kill_redis() if victim == "redis" else storm.kill_server())
        return await storm.end()
    finally:
        await storm.close()
