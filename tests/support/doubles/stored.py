"""The stored steps of a match, in the store or in its replay; and all records of a kind."""

from __future__ import annotations

from pathlib import Path

from protocol.fairness.replay import read
from protocol.ids import MatchId
from protocol.limits import Limits
from server.store.paging import PagedStore, each_record
from server.store.port import Store


async def steps_of(store: Store, data: Path, match: MatchId) -> list[bytes]:
    """Read them from the store, or once the match is over and put away, from its replay in the data folder."""
    steps = [stored.step for stored in await store.read(match)]
    file = data / "replays" / f"{match}.replay"
    return list(read(file.read_bytes(), Limits()).log) if not steps and file.exists() else steps


async def records_of(store: PagedStore, kind: str) -> dict[str, bytes]:
    """Return the data of all records of a kind, by key, in the order of the keys."""
    return {record.key: record.data async for record in each_record(store, kind)}
