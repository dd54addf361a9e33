"""Stores that hurt on demand."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.ids import MatchId
from server.store.port import AppendResult, Conflict, Fence, SealResult, StoredRecord, StoreUnavailable
from tests.support.doubles.memory_store import MemoryStore


class FailingStore(MemoryStore):
    """Store in memory whose writes fail while `failing` is set; with `stolen`, another writer writes its matches."""

    def __init__(self) -> None:
        super().__init__()
        self.failing = False
        self.stolen = False

    async def append(
        self, match: MatchId, fence: Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> AppendResult:
        self._check()
        if self.stolen:
            return Conflict(expected + 1)
        return await super().append(match, fence, cause, expected, step, closes=closes)

    async def seal(
        self, match: MatchId, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> SealResult:
        self._check()
        return await super().seal(match, fence, question, seat, cause, answer)

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        self._check()
        await super().put_record(kind, key, data)

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        self._check()
        return await super().put_records(records)

    def _check(self) -> None:
        if self.failing:
            raise StoreUnavailable("The disk is full.")
