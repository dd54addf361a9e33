"""Inputs of the operator's commands: a store to read, and the installed rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.rules.errors import ContentRefused
from engine.core.rules.system import System
from server.content.systems import find_systems
from server.runtime.errors import CommandError
from server.store.choice import FILE, REDIS, SQLITE, without_password
from server.store.port import StoreError
from server.store.redis.store import RedisStore
from server.store.sqlite.reader import ReadableStore, SqliteReader


def database(data: Path, place: str) -> Path:
    """Return the file that holds the matches. `place`: as open_store takes it. Raises CommandError where it is no
    file."""
    if place.startswith(REDIS):
        raise CommandError(
            "Redis backs up its own data (BGSAVE, or a copy of its append-only files): see docs/operating.md. "
            "Keys, replays and your own content are files of the data folder: copy it."
        )
    if place and not place.startswith(SQLITE):
        raise CommandError(f"{without_password(place)!r} is no store. Write sqlite:PATH or redis://HOST:PORT/NUMBER.")
    return Path(place.removeprefix(SQLITE)) if place else data / FILE


async def open_reader(data: Path, place: str) -> ReadableStore:
    """Open the store to read: a file as it is at this moment, a Redis as it goes on. Raises CommandError."""
    try:
        if place.startswith(REDIS):
            return await RedisStore.open(place, durability=None)
        return SqliteReader(database(data, place))
    except StoreError as problem:
        raise CommandError(str(problem), 1) from problem


def rules_installed() -> dict[str, System[Any]]:
    """Return the installed rule systems by name. Raises CommandError."""
    try:
        return find_systems()
    except ContentRefused as problem:
        raise CommandError("; ".join(problem.problems), 1) from problem
