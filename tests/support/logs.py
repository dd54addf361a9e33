"""What the log of a server's only match says of its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.causes import TableEvent
from engine.core.log import LogCodec
from engine.core.system import System
from server.store.sqlite import SqliteStore
from tests.support.stored import steps_of


async def table_notes(data: Path, system: System[Any]) -> list[tuple[str, int, str]]:
    """Kind, seat and detail of each table event, in order; the server has ended."""
    store = SqliteStore(data / "eschaton.db")
    try:
        (match,) = await store.records("table")
        steps = [LogCodec(system).decode(step) for step in await steps_of(store, data, match)]
    finally:
        await store.close()
    causes = [step.cause for step in steps]
    return [(cause.kind, cause.seat, cause.detail) for cause in causes if isinstance(cause, TableEvent)]
