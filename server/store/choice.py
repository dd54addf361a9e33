"""Choice of the store that a server was told to use: a file of SQLite, or Redis."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from server.runtime.clock import RealClock
from server.runtime.tasks import TaskSupervisor
from server.store.port import Store, StoreUnavailable
from server.store.redis.durability import Durability
from server.store.sqlite.store import SqliteStore

FILE: Final = "eschaton.db"
SQLITE: Final = "sqlite:"
LARGE_FILE: Final = 64 << 20
"""Size of a file that takes a second or more to open, since every step in it is read, in bytes."""
REDIS: Final = ("redis://", "rediss://", "unix://", "redis+sentinel://", "rediss+sentinel://")
_USER: Final = re.compile(r"^([a-z0-9+.-]*:/+)?.*@", re.IGNORECASE | re.DOTALL)


async def open_store(
    place: str,
    folder: Path,
    durability: Durability | None = None,
    on_large: Callable[[int], object] = lambda size: None,
    on_wait: Callable[[], object] = lambda: None,
    tasks: TaskSupervisor | None = None,
    on_update: Callable[[int], object] = lambda layout: None,
) -> Store:
    """Open the store at `place`, held against other servers until it is closed.

    place: sqlite:PATH, redis://HOST:PORT/NUMBER, rediss://... (TLS), unix://PATH, or
    redis+sentinel://HOST:PORT,HOST:PORT/SERVICE/NUMBER; empty for a file in `folder`, the data folder of this server.
    durability: the class asked of a Redis, "disk" where none is given; a file knows no other. on_large: called with the
    size of a file that will take its time to open. on_wait: called where another server holds the store and may do so
    no more in some seconds. on_update: called with the number of the layout that the store had, where it has been
    brought up to date. Raises StoreInUse where another server still holds the store, StoreError (its text says what to
    do).
    """
    if place.startswith(REDIS):
        # a server on a file need not load the library of Redis
        from server.store.redis.store import RedisStore

        store = await RedisStore.open(place, durability or "disk", tasks=tasks)
        try:
            await store.take_lease(folder, RealClock(), on_wait)
        except BaseException:  # cancelled, too: nobody else has the store to close it
            await store.close()
            raise
        if store.migrated_from is not None:
            on_update(store.migrated_from)
        return store
    if durability not in (None, "disk"):
        raise StoreUnavailable("--durability and --accept-loss are for Redis: a file of SQLite loses nothing.")
    path = folder / FILE
    if place:
        named = place.removeprefix(SQLITE)
        if named == place or not named:
            raise StoreUnavailable(
                f"{without_password(place)!r} is no store. Write sqlite:PATH or redis://HOST:PORT/NUMBER."
            )
        path = Path(named)
    if path.is_file() and (size := path.stat().st_size) >= LARGE_FILE:
        on_large(size)
    file = SqliteStore(path)
    if file.migrated_from is not None:
        on_update(file.migrated_from)
    return file


def without_password(place: str) -> str:
    """Return a place as people may read it: without what stands before its last @, but with its scheme."""
    return _USER.sub(r"\1...@", place)


def has_password(place: str) -> bool:
    """Return True where a store's place holds something that nobody else may read."""
    return place.startswith(REDIS) and "@" in place
