"""Lease of one server on a database in Redis: a record with the nonce of the server's start and its heartbeat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn, TypeVar

from server.runtime.clock import Clock
from server.runtime.tasks import TaskSupervisor, stop
from server.store.port import StoreError, StoreInUse, fresh_nonce
from server.store.redis import keys, scripts
from server.store.redis.command_queue import CommandQueue
from server.store.redis.connection import Command, Word
from server.store.redis.folder_claim import FolderClaim
from server.store.redis.requests import RedisRequest

T = TypeVar("T")

SILENCE_SECONDS: Final = 10.0
"""Silence after which the lease is free, by the clock of Redis."""
BEAT_SECONDS: Final = 2.0
LOOK_SECONDS: Final = 0.25
"""Pause between two attempts at a lease that another server holds."""


class Lease:
    """This server's lease on the database, through which every change there is made.

    Before `take` nothing is compared, and after `lost` nothing is sent any more.
    """

    def __init__(self, queue: CommandQueue, tasks: TaskSupervisor) -> None:
        self.lost = asyncio.Event()
        """Set once another server holds the lease, or the record has gone."""
        self._queue = queue
        self._tasks = tasks
        self._nonce = b""
        self._claim: FolderClaim | None = None
        self._beating: asyncio.Task[NoReturn] | None = None

    async def take(self, folder: Path, clock: Clock, on_wait: Callable[[], object]) -> None:
        """Take the lease.

        That is done at once where it is free, or was held from this data folder, whose lock says that no other process
        does; else as soon as the other server has been silent for long. on_wait: called where it takes longer. Raises
        StoreInUse where the other has not been silent after SILENCE_SECONDS, or where the folder is in use; StoreError.
        """
        claim = self._claim = FolderClaim(folder)
        nonce = fresh_nonce()
        asking = _script(scripts.HOLD, (keys.HOLDER,), claim.name, int(SILENCE_SECONDS * 1000), nonce)
        give_up = float("inf")
        while left := await self._queue.submit(RedisRequest(asking, int)):
            if give_up == float("inf"):
                give_up = clock.now() + SILENCE_SECONDS
                on_wait()
            elif clock.now() >= give_up:
                raise StoreInUse(
                    f"It has given a sign of life {SILENCE_SECONDS - left / 1000:.0f} s ago. Stop it and try again, or "
                    "give this server a store of its own."
                )
            await clock.sleep(min(LOOK_SECONDS, left / 1000))
        self._nonce = nonce
        self._beating = self._tasks.begin(self._beat(clock), "redis-lease")

    def guarded(self, script: str, places: tuple[str, ...], *arguments: Word) -> Command:
        """Return a command that changes something, and nothing where another server holds the lease."""
        return _script(script, (*places, keys.HOLDER), *arguments, self._nonce)

    async def submit(self, request: RedisRequest[T]) -> T:
        """Send a guarded command, and return the answer. Raises StoreInUse where the lease is lost, StoreError."""
        if self.lost.is_set():
            raise StoreInUse("Another server has taken the store over; nothing was stored. Stop this one.")
        try:
            return await self._queue.submit(request)
        except StoreInUse:
            self.lost.set()
            raise

    async def free(self) -> None:
        """Free the lease for the next server at once, if Redis is there. The queue must be stopped meanwhile."""
        if self._beating is not None:
            self._beating.cancel()
            with suppress(StoreError):
                await self.submit(RedisRequest(self.guarded(scripts.FREE, ()), int))
            await stop([self._beating])

    def close(self) -> None:
        """Release the data folder. May be called again."""
        if self._claim is not None:
            self._claim.close()

    async def _beat(self, clock: Clock) -> NoReturn:
        while True:
            await clock.sleep(BEAT_SECONDS)
            begun = clock.now()
            with suppress(StoreError):
                await self.submit(RedisRequest(self.guarded(scripts.BEAT, ()), int))
                self._tasks.metrics.redis_seconds.add(clock.now() - begun)


def _script(script: str, places: tuple[str, ...], *arguments: Word) -> Command:
    return ("EVALSHA", scripts.digest(script), len(places), *places, *arguments)
