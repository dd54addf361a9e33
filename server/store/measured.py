"""A store that counts and times the operations of another store."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from typing import TypeVar

from protocol.ids import MatchId
from server.runtime.clock import Clock
from server.runtime.metrics import Metrics
from server.store import port

T = TypeVar("T")


class MeasuredStore:
    """The store port over another store: counts appends with their time and size, and every failure by operation."""

    def __init__(self, store: port.Store, metrics: Metrics, clock: Clock) -> None:
        self._store = store
        self._metrics = metrics
        self._clock = clock

    async def open_match(self, match: MatchId) -> port.Fence:
        return await self._counted("open_match", self._store.open_match(match))

    async def append(
        self, match: MatchId, fence: port.Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> port.AppendResult:
        begun = self._clock.now()
        metrics = self._metrics
        metrics.appending += 1
        try:
            outcome = await self._store.append(match, fence, cause, expected, step, closes=closes)
        except port.StoreError:
            metrics.store_errors.add("append")
            raise
        finally:
            metrics.appending -= 1
        metrics.append_seconds.add(self._clock.now() - begun)
        metrics.append_bytes.add(len(step))
        return outcome

    async def seal(
        self, match: MatchId, fence: port.Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> port.SealResult:
        return await self._counted("seal", self._store.seal(match, fence, question, seat, cause, answer))

    async def sealed(self, match: MatchId) -> list[port.SealedAnswer]:
        return await self._counted("sealed", self._store.sealed(match))

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[port.LogEntry]:
        return await self._counted("read", self._store.read(match, after, most))

    async def version(self, match: MatchId) -> int:
        return await self._counted("version", self._store.version(match))

    async def find(self, match: MatchId, cause: bytes) -> int | None:
        return await self._counted("find", self._store.find(match, cause))

    async def put_snapshot(self, match: MatchId, version: int, data: bytes) -> bool:
        return await self._counted("put_snapshot", self._store.put_snapshot(match, version, data))

    async def snapshot(self, match: MatchId) -> port.MatchSnapshot | None:
        return await self._counted("snapshot", self._store.snapshot(match))

    async def delete_match(self, match: MatchId) -> None:
        await self._counted("delete_match", self._store.delete_match(match))

    async def matches(self) -> list[MatchId]:
        return await self._counted("matches", self._store.matches())

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        await self._counted("put_record", self._store.put_record(kind, key, data))

    async def put_records(self, records: Iterable[port.StoredRecord]) -> list[int]:
        return await self._counted("put_records", self._store.put_records(records))

    async def find_record(self, kind: str, key: str) -> port.KeptRecord | None:
        return await self._counted("find_record", self._store.find_record(kind, key))

    async def get_record(self, kind: str, key: str) -> bytes | None:
        return await self._counted("get_record", self._store.get_record(kind, key))

    async def page(self, kind: str, after: str | None = None, limit: int = port.PAGE_RECORDS) -> list[port.KeptRecord]:
        return await self._counted("page", self._store.page(kind, after, limit))

    async def kinds(self) -> list[str]:
        return await self._counted("kinds", self._store.kinds())

    async def delete_record(self, kind: str, key: str, schema: int = 1) -> None:
        await self._counted("delete_record", self._store.delete_record(kind, key, schema))

    async def changes(
        self, kind: str, after: int, limit: int = port.PAGE_RECORDS
    ) -> list[port.RecordChange] | port.Trimmed:
        return await self._counted("changes", self._store.changes(kind, after, limit))

    async def append_line(self, name: str, line: bytes, keep: int) -> int:
        return await self._counted("append_line", self._store.append_line(name, line, keep))

    async def newest_lines(self, name: str, most: int) -> list[port.Line]:
        return await self._counted("newest_lines", self._store.newest_lines(name, most))

    async def delete_lines(self, name: str) -> None:
        await self._counted("delete_lines", self._store.delete_lines(name))

    async def put_due(self, name: str, times: Mapping[str, int]) -> None:
        await self._counted("put_due", self._store.put_due(name, times))

    async def drop_due(self, name: str, key: str) -> None:
        await self._counted("drop_due", self._store.drop_due(name, key))

    async def take_due(self, name: str, until: int, most: int) -> list[port.DueTime]:
        return await self._counted("take_due", self._store.take_due(name, until, most))

    @property
    def promise(self) -> str:
        return self._store.promise

    @property
    def may_lose(self) -> bool:
        return self._store.may_lose

    async def in_doubt(self) -> None:
        await self._store.in_doubt()

    async def taken_over(self) -> None:
        await self._store.taken_over()

    async def close(self) -> None:
        await self._store.close()

    async def _counted(self, operation: str, work: Awaitable[T]) -> T:
        try:
            return await work
        except port.StoreError:
            self._metrics.store_errors.add(operation)
            raise
