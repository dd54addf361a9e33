"""Which store a server was told to use: a file of SQLite, or Redis."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from server.store.port import Store, StoreUnavailable
from server.store.redis import RedisStore
from server.store.redis_link import Loss
from server.store.sqlite import SqliteStore

FILE: Final = "eschaton.db"
SQLITE: Final = "sqlite:"
LARGE_FILE: Final = 64 << 20
"""Bytes of a file that takes a second or more to open: every step in it is looked at."""
REDIS: Final = ("redis://", "rediss://", "unix://")
_USER: Final = re.compile(r"^([a-z0-9+.-]*:/+)?.*@", re.IGNORECASE | re.DOTALL)


async def open_store(
    place: str,
    folder: Path,
    accept_loss: Loss | None = None,
    on_large: Callable[[int], object] = lambda size: None,
) -> Store:
    """sqlite:PATH, redis://HOST:PORT/NUMBER, rediss://... (TLS) or unix://PATH; left out, a file in `folder`.

    on_large: is told the bytes of a file that will take its time to open. Raises StoreError: its text says what to do.
    """
    if place.startswith(REDIS):
        return await RedisStore.open(place, accept_loss)
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
