"""Which store a server was told to use: a file of SQLite, or Redis."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from server.runtime.clock import RealClock
from server.store.port import Store, StoreUnavailable
from server.store.redis.connection import AcceptedLoss
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore

FILE: Final = "eschaton.db"
SQLITE: Final = "sqlite:"
LARGE_FILE: Final = 64 << 20
"""Bytes of a file that takes a second or more to open: every step in it is looked at."""
REDIS: Final = ("redis://", "rediss://", "unix://")
_USER: Final = re.compile(r"^([a-z0-9+.-]*:/+)?.*@", re.IGNORECASE | re.DOTALL)


async def open_store(
    place: str,
    folder: Path,
    accept_loss: AcceptedLoss | None = None,
    on_large: Callable[[int], object] = lambda size: None,
    on_wait: Callable[[], object] = lambda: None,
) -> Store:
    """sqlite:PATH, redis://HOST:PORT/NUMBER, rediss://... (TLS) or unix://PATH; left out, a file in `folder`. It is
    held against other servers until it is closed; `folder`: the data folder of this one.

    on_large: is told the bytes of a file that will take its time to open; on_wait: that another server holds the store,
    and may do so no more in some seconds. Raises StoreInUse where it does, StoreError: its text says what to do.
    """
    if place.startswith(REDIS):
        store = await RedisStore.open(place, accept_loss)
        try:
            await store.take_lease(folder, RealClock(), on_wait)
        except BaseException:
            await store.close()
            raise
        return store
    if accept_loss is not None:
        raise StoreUnavailable("--accept-loss is for Redis: a file of SQLite loses nothing.")
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
    return SqliteStore(path)


def without_password(place: str) -> str:
    """A place as people may read it: whatever stands before its last @ is left out, as far as its scheme."""
    return _USER.sub(r"\1...@", place)


def has_password(place: str) -> bool:
    """Return True where a store's place holds something that nobody else may read."""
    return place.startswith(REDIS) and "@" in place
