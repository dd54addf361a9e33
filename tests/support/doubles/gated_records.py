"""A store on a disk whose writes of some records wait for as long as a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from server.store.port import StoredRecord
from server.store.sqlite.store import SqliteStore
from tests.support.runs.patience import PATIENCE


class GatedRecords(SqliteStore):
    """A store of which each write of a record of this kind waits for its gate."""

    def __init__(self, data: Path, kind: str) -> None:
        super().__init__(data / "eschaton.db")
        self._kind = kind
        self._gate = asyncio.Event()
        self._gate.set()
        self._reached = asyncio.Event()

    @contextmanager
    def shut(self) -> Iterator[None]:
        """Let writes wait until the end of this block."""
        self._gate.clear()
        self._reached.clear()
        try:
            yield
        finally:
            self._gate.set()

    async def waiting(self) -> None:
        """Return when a write waits."""
        async with asyncio.timeout(PATIENCE):
            await self._reached.wait()

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        batch = list(records)
        if any(record.kind == self._kind for record in batch):
            self._reached.set()
            await self._gate.wait()
        return await super().put_records(batch)
