"""The store port in memory, without a disk."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from protocol.ids import MatchId
from server.store.port import (
    NOBODY,
    AlreadySealed,
    Appended,
    AppendResult,
    Conflict,
    Duplicate,
    Fence,
    Fenced,
    LogEntry,
    MatchSnapshot,
    Sealed,
    SealedAnswer,
    SealResult,
    StoredRecord,
    StoreUnavailable,
    check_cause,
    fresh_nonce,
)


@dataclass
class _Stream:
    fence: Fence = NOBODY
    steps: list[LogEntry] = field(default_factory=list)
    made: dict[bytes, int] = field(default_factory=dict)
    sealed: dict[tuple[str, int], SealedAnswer] = field(default_factory=dict)
    snapshot: MatchSnapshot | None = None


class MemoryStore:
    """The store port without a disk. No method ever waits, so a cancelled caller's call has happened or not begun."""

    def __init__(self) -> None:
        self._streams: dict[MatchId, _Stream] = {}
        self._records: dict[str, dict[str, bytes]] = {}
        self._closed = False

    async def open_match(self, match: MatchId) -> Fence:
        self._check_open()
        stream = self._streams.setdefault(match, _Stream())
        stream.fence = _next(stream.fence)
        return stream.fence

    async def append(
        self, match: MatchId, fence: Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> AppendResult:
        check_cause(cause)
        stream = self._owned(match, fence)
        if isinstance(stream, Fenced):
            return stream
        if (made := stream.made.get(cause)) is not None:
            return Duplicate(made)
        head = len(stream.steps)
        if head != expected:
            return Conflict(head)
        stream.steps.append(LogEntry(head + 1, cause, step))
        stream.made[cause] = head + 1
        stream.sealed = {place: answer for place, answer in stream.sealed.items() if place[0] != closes}
        return Appended(head + 1)

    async def seal(
        self, match: MatchId, fence: Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> SealResult:
        check_cause(cause)
        stream = self._owned(match, fence)
        if isinstance(stream, Fenced):
            return stream
        sealed = SealedAnswer(question, seat, cause, answer)
        return Sealed() if stream.sealed.setdefault((question, seat), sealed) == sealed else AlreadySealed()

    async def sealed(self, match: MatchId) -> list[SealedAnswer]:
        answers = self._stream(match).sealed
        return [answers[place] for place in sorted(answers)]

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[LogEntry]:
        last = None if most is None else max(after + most, 0)
        return self._stream(match).steps[max(after, 0) : last]

    async def version(self, match: MatchId) -> int:
        return len(self._stream(match).steps)

    async def find(self, match: MatchId, cause: bytes) -> int | None:
        return self._stream(match).made.get(cause)

    async def put_snapshot(self, match: MatchId, version: int, data: bytes) -> bool:
        stream = self._stream(match)
        if stream.fence == NOBODY or version > len(stream.steps):
            return False
        if stream.snapshot is not None and version < stream.snapshot.version:
            return False
        stream.snapshot = MatchSnapshot(version, data)
        return True

    async def snapshot(self, match: MatchId) -> MatchSnapshot | None:
        return self._stream(match).snapshot

    async def delete_match(self, match: MatchId) -> None:
        stream = self._stream(match)
        if stream.fence != NOBODY:
            self._streams[match] = _Stream(_next(stream.fence))

    async def matches(self) -> list[MatchId]:
        self._check_open()
        return sorted(match for match, stream in self._streams.items() if stream.steps)

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        await self.put_records((StoredRecord(kind, key, data),))

    async def put_records(self, records: Iterable[StoredRecord]) -> None:
        self._check_open()
        for record in tuple(records):
            self._records.setdefault(record.kind, {})[record.key] = record.data

    async def get_record(self, kind: str, key: str) -> bytes | None:
        self._check_open()
        return self._records.get(kind, {}).get(key)

    async def records(self, kind: str) -> dict[str, bytes]:
        self._check_open()
        return dict(sorted(self._records.get(kind, {}).items()))

    async def kinds(self) -> list[str]:
        self._check_open()
        return sorted(kind for kind, records in self._records.items() if records)

    async def delete_record(self, kind: str, key: str) -> None:
        self._check_open()
        self._records.get(kind, {}).pop(key, None)

    async def in_doubt(self) -> None:
        await asyncio.Event().wait()

    async def taken_over(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        self._closed = True

    def _stream(self, match: MatchId) -> _Stream:
        """The match's stream; for an unknown match an empty one, which is not kept."""
        self._check_open()
        return self._streams.get(match) or _Stream()

    def _owned(self, match: MatchId, fence: Fence) -> _Stream | Fenced:
        stream = self._stream(match)
        return stream if stream.fence == fence != NOBODY else Fenced(stream.fence.counter)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("The store is closed.")


def _next(fence: Fence) -> Fence:
    return Fence(fence.counter + 1, fresh_nonce())
