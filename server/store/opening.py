"""Which store a server was told to use: a file of SQLite, or Redis."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from server.store.port import Store, StoreUnavailable
from server.store.redis import RedisStore
from server.store.redis_link import Loss
from server.store.sqlite import SqliteStore

FILE: Final = "eschaton.db"
SQLITE: Final = "sqlite:"
REDIS: Final = ("redis://", "rediss://", "unix://")


async def open_store(place: str, folder: Path, accept_loss: Loss | None = None) -> Store:
    """sqlite:PATH, redis://HOST:PORT/NUMBER, rediss://... (TLS) or unix://PATH; left out, a file in `folder`.

    Raises StoreError: its text says what to do.
    """
    if place.startswith(REDIS):
        return await RedisStore.open(place, accept_loss)
    if accept_loss is not None:
        raise StoreUnavailable("--accept-loss is for Redis: a file of SQLite loses nothing.")
    if not place:
        return SqliteStore(folder / FILE)
    path = place.removeprefix(SQLITE)
    if path == place or not path:
        raise StoreUnavailable(f"{place!r} is no store. Write sqlite:PATH or redis://HOST:PORT/NUMBER.")
    return SqliteStore(Path(path))
