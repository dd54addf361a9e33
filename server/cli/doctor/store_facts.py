"""Facts of a data file: whether this program can read it, and the newest time in it. Changes nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from server.accounts.uptime import SECONDS, UPTIME
from server.lobby.stored_tables import TABLE_SCHEMA
from server.lobby.table.table_record import TABLES
from server.store.paging import each_record
from server.store.port import StoreError, StoreTooNew
from server.store.sqlite.reader import SqliteReader


class StoreFacts(NamedTuple):
    """`problem`: why it cannot be read; `is_newer`: that is because a newer program has written it; `newer`: tables
    that a newer program has written; `uptime`: Unix seconds up to which a server has counted its time, None where none
    has yet."""

    path: Path
    problem: str = ""
    is_newer: bool = False
    newer: int = 0
    uptime: int | None = None


def look_at_file(path: Path) -> StoreFacts:
    """Read what is asked of a data file; one that is not there yet has nothing wrong."""
    try:
        return asyncio.run(_look(path)) if path.is_file() else StoreFacts(path)
    except StoreError as problem:
        return StoreFacts(path, str(problem), isinstance(problem, StoreTooNew))
    except OSError as problem:
        return StoreFacts(path, f"{path} cannot be read: {problem.strerror or problem}.")


async def _look(path: Path) -> StoreFacts:
    # beside a file that nobody has open SQLite would otherwise make two more
    reader = SqliteReader(path, is_still=not path.with_name(f"{path.name}-wal").exists())
    try:
        newer = sum([record.schema > TABLE_SCHEMA async for record in each_record(reader, TABLES)])
        counted = [record.data async for record in each_record(reader, UPTIME) if record.key == SECONDS]
        seconds = int(counted[0]) if counted and counted[0].isdigit() else None
        return StoreFacts(path, newer=newer, uptime=seconds)
    finally:
        reader.shut()
