"""Very many appends to Redis while it is killed, stalled or slow, and the fate of each."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from protocol.ids import MatchId
from server.store.port import Appended, Conflict, Fence, Fenced, StoreUnavailable
from server.store.redis.durability import Durability
from server.store.redis.store import RedisStore
from tests.support.clients.programs import until
from tests.support.doubles.redis_server import RedisServer

STEP = bytes(300)


class Torrent:
    """A writer for each of many matches, each appending as fast as it is answered."""

    def __init__(self, store: RedisStore, matches: int) -> None:
        self.store = store
        self.acknowledged: dict[MatchId, list[bytes]] = {MatchId(f"m{number}"): [] for number in range(matches)}
        self.figures: Counter[str] = Counter()
        self.most_waiting = 0
        self.is_last = False
        self._fences: dict[MatchId, Fence] = {}
        self._chance = random.Random(1)

    @property
    def count(self) -> int:
        """Number of appends acknowledged so far, lost ones included."""
        return self.figures["acknowledged"]

    async def pour(self) -> None:
        """Append until the last one wanted."""
        for match in self.acknowledged:
            self._fences[match] = await self.store.open_match(match)
        async with asyncio.TaskGroup() as writers:
            for match in self.acknowledged:
                writers.create_task(self._write(match))

    async def _write(self, match: MatchId) -> None:
        made = self.acknowledged[match]
        while not self.is_last:
            cause = self._chance.randbytes(16)
            try:
                outcome = await self.store.append(match, self._fences[match], cause, len(made), STEP)
            except StoreUnavailable:
                self.figures["refused"] += 1
                await asyncio.sleep(0.01)
                continue
            finally:
                self.most_waiting = max(self.most_waiting, self.store.waiting)
            if isinstance(outcome, Appended) and outcome.version == len(made) + 1:
                made.append(cause)
                self.figures["acknowledged"] += 1
            elif isinstance(outcome, Conflict) and outcome.version < len(made):
                # only a Redis whose loss was accepted comes here: it is noticed at the next append, and counted
                self.figures["lost"] += len(made) - outcome.version
                del made[outcome.version :]
            elif isinstance(outcome, Fenced) and outcome.counter < self._fences[match].counter:
                self._fences[match] = await self.store.open_match(match)
            else:
                raise AssertionError(f"{match}: {outcome} behind {len(made)} steps")

    async def more(self, appends: int) -> None:
        """Wait until a number of further appends has been acknowledged."""
        goal = self.count + appends
        await until(lambda: self.count >= goal)

    async def check(self, place: str) -> None:
        """Check that each acknowledged step is there once, in its place, and that no unacknowledged one is."""
        store = await RedisStore.open(place, durability=None)
        for match, made in self.acknowledged.items():
            assert [step.cause for step in await store.read(match)] == made, f"{match} is not as it was acknowledged"
        await store.close()


@asynccontextmanager
async def poured(torrent: Torrent, server: RedisServer, place: str) -> AsyncIterator[None]:
    """Append within it; then await the pending appends and check all. Store and server are closed."""
    pouring = asyncio.create_task(torrent.pour())
    try:
        yield
        torrent.is_last = True
        await pouring
        await torrent.check(place)
    finally:
        pouring.cancel()
        await asyncio.gather(pouring, return_exceptions=True)
        await torrent.store.close()
        server.close()


async def pour_and_kill(
    folder: Path, seed: int, kills: int, durability: Durability = "disk", matches: int = 100
) -> dict[str, float]:
    """Kill Redis a number of times under appends to many matches at once; return counts of what happened."""
    chance = random.Random(seed)
    policy = "always" if durability == "disk" else "everysec"
    server = RedisServer(folder, ("--appendonly", "yes", "--appendfsync", policy))
    place = server.place()
    store = await RedisStore.open(place, durability)
    torrent = Torrent(store, matches)
    async with poured(torrent, server, place):
        for _ in range(kills):
            await torrent.more(chance.randrange(1, 5 * matches))
            server.kill()
            await asyncio.to_thread(server.start)
        await torrent.more(matches)
    return {"kills": kills, **torrent.figures, "worst_waiting": torrent.most_waiting}
