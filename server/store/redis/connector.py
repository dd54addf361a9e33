"""The making of connections to Redis: to whichever server is the primary now."""

from __future__ import annotations

from collections.abc import Callable

from server.store.port import StoreUnavailable
from server.store.redis import durability as classes
from server.store.redis.address import RedisAddress, close_pool, make_pool
from server.store.redis.connection import ConnectionLost, RedisConnection, Timeouts
from server.store.redis.durability import Durability


class Connector:
    """Maker of the connections of one store, which notices where another Redis answers than before."""

    def __init__(self, place: RedisAddress, durability: Durability | None, timeouts: Timeouts) -> None:
        self.timeouts = timeouts
        self.on_other: Callable[[bytes], object] = lambda run: None
        """Is called with the life of Redis where it is not that of the connection before, or has another history: what
        was acknowledged may be gone."""
        self.promise = ""
        """What the host must know of what is kept, as of the newest connection."""
        self._place = place
        self._durability = durability
        self._pool = make_pool(place, timeouts.answer)

    async def begin(self) -> tuple[RedisConnection, RedisConnection]:
        """Return two connections, one to write and one to read. Raises StoreUnavailable."""
        try:
            first = await self(None)
            try:
                return first, await self(None)
            except BaseException:
                await first.close()
                raise
        except ConnectionLost as problem:
            await close_pool(self._pool)
            raise StoreUnavailable(str(problem)) from problem
        except BaseException:
            await close_pool(self._pool)
            raise

    async def __call__(self, before: RedisConnection | None) -> RedisConnection:
        """Connect anew, in place of a connection that is lost. Raises as RedisConnection.open."""
        connection = await RedisConnection.open(self._pool, self._place.label, self._durability, self.timeouts, before)
        if self._durability is not None:
            self.promise = classes.promise(self._durability, connection.on_word)
        if before is not None and (before.run, before.history) != (connection.run, connection.history):
            self.on_other(connection.run)
        return connection

    async def close(self) -> None:
        """Close all connections."""
        await close_pool(self._pool)
