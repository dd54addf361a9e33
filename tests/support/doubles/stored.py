"""The stored steps of a match, in the store or in its replay."""

from __future__ import annotations

from pathlib import Path

from protocol.fairness.replay import read
from protocol.ids import MatchId
from protocol.limits import Limits
from server.store.port import Store


async def steps_of(store: Store, data: Path, match: MatchId) -> list[bytes]:
    """Read them from the store, or once the match is over and put away, from its replay in the data folder."""
    steps = [stored.step for stored in await store.read(match)]
    file = data / "replays" / f"{match}.replay"
    return list(read(file.read_bytes(), Limits()).log) if not steps and file.exists() else steps
