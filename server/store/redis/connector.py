"""The making of connections to Redis: to whichever server is the primary now."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from redis.asyncio.sentinel import SentinelConnectionPool
from redis.exceptions import RedisError

from server.runtime.clock import Clock
from server.store.port import StoreUnavailable
from server.store.redis import durability as classes
from server.store.redis.address import RedisAddress, close_pool, make_pool
from server.store.redis.connection import ConnectionLost, RedisConnection, Timeouts
from server.store.redis.durability import Durability

LOOK_SECONDS: Final = 1.0
"""Pause between two questions to the Sentinels: a primary that they have left takes writes for another ten seconds."""


class Connector:
    """Maker of the connections of one store, which notices where another Redis answers than before."""

    def __init__(self, place: RedisAddress, durability: Durability | None, timeouts: Timeouts) -> None:
        self.timeouts = timeouts
        self.on_other: Callable[[bytes], object] = lambda run: None
        """Is called with the life of Redis where it is another than before, or has another history: what was
        acknowledged may be gone."""
        self.on_moved: Callable[[], object] = lambda: None
        """Is called where Sentinels name another primary than before."""
        self.promise = ""
        """What the host must know of what is kept, as of the newest connection."""
        self._place = place
        self._durability = durability
        self._pool = make_pool(place, timeouts.answer)
        self._met: tuple[bytes, bytes] | None = None
        """Life and history of the Redis that was met last."""

    @property
    def may_lose(self) -> bool:
        """True in the class "second"."""
        return self._durability == "second"

    async def begin(self) -> tuple[RedisConnection, RedisConnection]:
        """Return two connections, one to write and one to read. Raises StoreUnavailable."""
        first = None
        try:
            first = await self(None)
            return first, await self(None)
        except BaseException as problem:  # cancelled, too: nobody else has the connections to close them
            if first is not None:
                await first.close()
            await self.close()
            if isinstance(problem, ConnectionLost):
                raise StoreUnavailable(str(problem)) from problem
            raise

    async def __call__(self, before: RedisConnection | None) -> RedisConnection:
        """Connect anew, in place of a connection that is lost. Raises as RedisConnection.open."""
        connection = await RedisConnection.open(self._pool, self._place.label, self._durability, self.timeouts, before)
        if self._durability is not None:
            self.promise = classes.promise(self._durability, connection.on_word)
        met = connection.run, connection.history
        is_other, self._met = self._met not in (met, None), met
        if is_other:
            self.on_other(connection.run)
        return connection

    async def watch(self, clock: Clock) -> None:
        """Ask the Sentinels for the primary again and again; return where there are none."""
        pool = self._pool
        while isinstance(pool, SentinelConnectionPool):
            await clock.sleep(LOOK_SECONDS)
            before = pool.master_address
            with suppress(RedisError, OSError):
                if await pool.get_master_address() != before:
                    self.on_moved()

    async def close(self) -> None:
        """Close all connections."""
        await close_pool(self._pool)
