"""The store port in memory, without a disk."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from protocol.ids import MatchId
from server.runtime.clock import unix_milliseconds
from server.store.port import (
    KEPT_CHANGES,
    NOBODY,
    PAGE_RECORDS,
    AlreadySealed,
    Appended,
    AppendResult,
    Conflict,
    DueTime,
    Duplicate,
    Fence,
    Fenced,
    KeptRecord,
    Line,
    LogEntry,
    MatchSnapshot,
    RecordChange,
    RecordConflict,
    RecordTooNew,
    Sealed,
    SealedAnswer,
    SealResult,
    StoredRecord,
    StoreUnavailable,
    Trimmed,
    check_cause,
    check_changes,
    check_due,
    check_line,
    check_lines,
    check_page,
    check_taking,
    checked_records,
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

    def __init__(self, now: Callable[[], int] = unix_milliseconds) -> None:
        self._now = now
        self._streams: dict[MatchId, _Stream] = {}
        self._records: dict[str, dict[str, tuple[KeptRecord, float | None]]] = {}
        self._feeds: dict[str, deque[RecordChange]] = {}
        self._lines: dict[str, list[Line]] = {}
        self._due: dict[str, dict[str, int]] = {}
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

    async def put_records(self, records: Iterable[StoredRecord]) -> list[int]:
        self._check_open()
        batch = checked_records(records)
        for record in batch:
            found = self._living(record.kind, record.key)
            if found is not None and found.schema > record.schema:
                raise RecordTooNew(record.kind, record.key, found.schema, record.schema)
            version = 0 if found is None else found.version
            if record.expected not in (None, version):
                raise RecordConflict(record.kind, record.key, record.expected, version)
        return [self._put(record) for record in batch]

    def _put(self, record: StoredRecord) -> int:
        version = self._changed(record.kind, record.key)
        ends = None if record.seconds is None else self._now() + record.seconds * 1000
        kept = KeptRecord(record.key, record.data, version, record.schema)
        self._records.setdefault(record.kind, {})[record.key] = (kept, ends)
        return version

    def _changed(self, kind: str, key: str) -> int:
        feed = self._feeds.setdefault(kind, deque(maxlen=KEPT_CHANGES))
        feed.append(RecordChange(self._last(kind) + 1, key))
        return feed[-1].number

    def _last(self, kind: str) -> int:
        return self._feeds[kind][-1].number if self._feeds.get(kind) else 1

    def _living(self, kind: str, key: str) -> KeptRecord | None:
        kept, ends = self._records.get(kind, {}).get(key, (None, None))
        return kept if ends is None or ends > self._now() else None

    async def find_record(self, kind: str, key: str) -> KeptRecord | None:
        self._check_open()
        return self._living(kind, key)

    async def get_record(self, kind: str, key: str) -> bytes | None:
        found = await self.find_record(kind, key)
        return None if found is None else found.data

    async def page(self, kind: str, after: str | None = None, limit: int = PAGE_RECORDS) -> list[KeptRecord]:
        self._check_open()
        check_page(kind, after, limit)
        keys = sorted(key for key in self._records.get(kind, {}) if after is None or key > after)
        found = [self._living(kind, key) for key in keys]
        return [kept for kept in found if kept is not None][:limit]

    async def kinds(self) -> list[str]:
        return sorted([kind for kind in self._records if await self.page(kind, None, 1)])

    async def delete_record(self, kind: str, key: str, schema: int = 1) -> None:
        self._check_open()
        found = self._living(kind, key)
        if found is not None and found.schema > schema:
            raise RecordTooNew(kind, key, found.schema, schema)
        if found is not None:
            self._changed(kind, key)
        self._records.get(kind, {}).pop(key, None)

    async def changes(self, kind: str, after: int, limit: int = PAGE_RECORDS) -> list[RecordChange] | Trimmed:
        self._check_open()
        check_changes(kind, after, limit)
        found = [change for change in self._feeds.get(kind, ()) if change.number > after][:limit]
        is_whole = after == self._last(kind) or (found and found[0].number == after + 1)
        return found if is_whole else Trimmed(self._last(kind))

    async def append_line(self, name: str, line: bytes, keep: int) -> int:
        self._check_open()
        check_line(name, line, keep)
        lines = self._lines.setdefault(name, [])
        lines.append(Line(lines[-1].number + 1 if lines else 1, line))
        del lines[:-keep]
        return lines[-1].number

    async def newest_lines(self, name: str, most: int) -> list[Line]:
        self._check_open()
        check_lines(name, most)
        return self._lines.get(name, [])[-most:]

    async def delete_lines(self, name: str) -> None:
        self._check_open()
        self._lines.pop(name, None)

    async def put_due(self, name: str, times: Mapping[str, int]) -> None:
        self._check_open()
        check_due(name, times)
        self._due.setdefault(name, {}).update(times)

    async def drop_due(self, name: str, key: str) -> None:
        self._check_open()
        self._due.get(name, {}).pop(key, None)

    async def take_due(self, name: str, until: int, most: int) -> list[DueTime]:
        self._check_open()
        check_taking(name, until, most)
        times = self._due.get(name, {})
        found = sorted((at, key) for key, at in times.items() if at <= until)[:most]
        return [DueTime(key, times.pop(key)) for _, key in found]

    @property
    def promise(self) -> str:
        return ""

    @property
    def may_lose(self) -> bool:
        return False

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
