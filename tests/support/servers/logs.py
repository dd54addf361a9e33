"""Table events in the log of a server's only match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core.match.causes import TableEvent
from engine.core.match.log import LogCodec
from engine.core.rules.system import System
from tests.support.play.sightings import stored_match


async def table_notes(data: Path, system: System[Any]) -> list[tuple[str, int, str]]:
    """Return kind, seat and detail of each table event, in order; the server has ended."""
    codec = LogCodec(system)
    causes = [codec.decode(step).cause for step in (await stored_match(data)).steps]
    return [(cause.kind, cause.seat, cause.detail) for cause in causes if isinstance(cause, TableEvent)]
