"""The store in Redis 7: a stream a match, every change one script, many matches on one round trip and one sync.

With appendfsync always Redis answers a write only when it is on the disk, and syncs once for all that came together.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from protocol.ids import MatchId
from server.runtime.clock import Clock, RealClock
from server.runtime.logs import make_log
from server.runtime.metrics import Metrics
from server.runtime.tasks import TaskSupervisor, stop
from server.store import port
from server.store.redis import keys, match_words, record_scripts, record_words, scripts
from server.store.redis.address import parse_address
from server.store.redis.command_queue import CommandQueue
from server.store.redis.connection import DEFAULT_TIMEOUTS, Timeouts, Word
from server.store.redis.connector import Connector
from server.store.redis.durability import Durability
from server.store.redis.lease import Lease
from server.store.redis.requests import RedisRequest

T = TypeVar("T")

WAITING_OPERATIONS: Final = 10_000
PAGE: Final = 1_000


class RedisStore:
    """The store port on a Redis server; made by `open`. A connection for writing and one for reading.

    A write whose outcome is not known, since its connection was lost or no replica has confirmed it, is sent again over
    the next connection, as long as it takes: an append with the same cause, so that it is made once. A call returns or
    raises only when its outcome is known.
    """

    def __init__(self, connect: Connector, writes: CommandQueue, reads: CommandQueue, tasks: TaskSupervisor) -> None:
        self._connect = connect
        self._writes = writes
        self._reads = reads
        connect.on_other = self._meet_other
        connect.on_moved = self._renew
        self._doubt = asyncio.Event()
        self._tasks = tasks
        self._lease = Lease(self._writes, tasks)
        self._watching: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._layout = 1
        self._migrated_from: int | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        durability: Durability | None = "disk",
        limit: int = WAITING_OPERATIONS,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        tasks: TaskSupervisor | None = None,
    ) -> RedisStore:
        """Connect to redis://[USER:PASSWORD@]HOST:PORT/DATABASE (rediss: with TLS; unix://PATH), or to the primary that
        redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/SERVICE/DATABASE names.

        durability: what an acknowledged write has reached; None for a store that is only read, which any Redis will do
        for. limit: operations that may wait, for reading and for writing. Raises StoreUnavailable where Redis cannot be
        reached or is not fit, with what to do about it.
        """
        try:
            place = parse_address(url)
        except ValueError as problem:
            raise port.StoreUnavailable(str(problem)) from problem
        connect = Connector(place, durability, timeouts)
        first, second = await connect.begin()
        begins = tasks or TaskSupervisor(make_log(), Metrics(), RealClock())
        writes = CommandQueue(connect, first, limit, timeouts, begins, is_writing=True)
        reads = CommandQueue(connect, second, limit, timeouts, begins, is_writing=False)
        store = cls(connect, writes, reads, begins)
        try:
            await store._check_layout(place.label)
        except BaseException:  # cancelled, too: nobody else has the store to close it
            await store.close()
            raise
        return store

    def _meet_other(self, run: bytes) -> None:
        """Compare all with a Redis that has been started anew, or has become the primary."""
        self._doubt.set()
        self._renew(run)

    def _renew(self, run: bytes = b"") -> None:
        for queue in (self._writes, self._reads):
            queue.renew(run)

    async def take_lease(self, folder: Path, clock: Clock, on_wait: Callable[[], object] = lambda: None) -> None:
        """Take the lease on the database for the server of this data folder, until closed; see Lease.take."""
        await self._lease.take(folder, clock, on_wait)
        self._watching = self._tasks.begin(self._connect.watch(clock), "redis-primary")
        if self._layout != keys.LAYOUT_NUMBER:
            await self._update()

    @property
    def migrated_from(self) -> int | None:
        """Number of the layout that the database had, where taking the lease has brought it up to date."""
        return self._migrated_from

    async def _check_layout(self, label: str) -> None:
        found = await self._look_up("GET", keys.LAYOUT, read=_number)
        self._layout = 1 if found is None else found
        if self._layout > keys.LAYOUT_NUMBER:
            raise port.StoreTooNew(f"{label} was written by a newer Eschaton. Update this one to open it.")

    async def _update(self) -> None:
        """Bring a database of an earlier layout up to date. Where that is interrupted, the next start goes on."""
        kinds = [keys.kind_of(key) async for key in self._scan(keys.RECORDS + "*")]
        for kind in kinds:
            name = keys.quoted(kind)
            command = self._lease.guarded(record_scripts.UPDATE, (keys.ORDER + name,), name)
            await self._lease.submit(RedisRequest(command, int))
        command = self._lease.guarded(record_scripts.UPDATED, (keys.LAYOUT,), keys.LAYOUT_NUMBER)
        await self._lease.submit(RedisRequest(command, int))
        self._migrated_from = self._layout if kinds else None
        self._layout = keys.LAYOUT_NUMBER

    @property
    def waiting(self) -> int:
        """Number of operations that wait or are on their way."""
        return self._writes.depth + self._reads.depth

    @property
    def batches(self) -> int:
        """Number of round trips made for writing: with many matches far fewer than operations."""
        return self._writes.batches

    async def open_match(self, match: MatchId) -> port.Fence:
        nonce = port.fresh_nonce()
        counter = await self._write(match, scripts.OPEN, ("owner",), nonce, read=int)
        return port.Fence(counter, nonce)

    async def append(
        self, match: MatchId, fence: port.Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> port.AppendResult:
        port.check_cause(cause)
        places = keys.of_match(match, "owner", "log", "causes", "sealed")
        question = () if closes is None else (closes.encode(),)
        first, again = (
            self._lease.guarded(scripts.APPEND, places, *fence, cause, expected, step, asked, *question)
            for asked in (0, 1)
        )
        return await self._lease.submit(RedisRequest(first, match_words.read_appended, match, again))

    async def seal(
        self, match: MatchId, fence: port.Fence, question: str, seat: int, cause: bytes, answer: bytes
    ) -> port.SealResult:
        port.check_cause(cause)
        words = (*fence, *match_words.seal_arguments(question, seat, cause, answer))
        return await self._write(match, scripts.SEAL, ("owner", "sealed"), *words, read=match_words.read_sealing)

    async def sealed(self, match: MatchId) -> list[port.SealedAnswer]:
        return await self._look_up("HGETALL", *keys.of_match(match, "sealed"), read=match_words.read_sealed)

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[port.LogEntry]:
        [log] = keys.of_match(match, "log")
        last = "+" if most is None else f"{max(after + most, 0)}-0"
        found: list[port.LogEntry] = []
        while True:
            page = await self._look_up(
                "XRANGE", log, f"{max(after, 0) + 1}-0", last, "COUNT", PAGE, read=match_words.read_steps
            )
            found += page
            if len(page) < PAGE:
                return found
            after = page[-1].version

    async def version(self, match: MatchId) -> int:
        return await self._look_up("XLEN", *keys.of_match(match, "log"), read=int)

    async def find(self, match: MatchId, cause: bytes) -> int | None:
        return await self._look_up("HGET", *keys.of_match(match, "causes"), cause, read=_number)

    async def put_snapshot(self, match: MatchId, version: int, data: bytes) -> bool:
        return await self._write(match, scripts.SNAPSHOT, ("owner", "log", "snapshot"), version, data, read=bool)

    async def snapshot(self, match: MatchId) -> port.MatchSnapshot | None:
        [place] = keys.of_match(match, "snapshot")
        return await self._look_up("HMGET", place, "version", "data", read=match_words.read_snapshot)

    async def delete_match(self, match: MatchId) -> None:
        await self._write(
            match, scripts.DELETE, ("owner", "log", "causes", "sealed", "snapshot"), port.fresh_nonce(), read=bool
        )

    async def matches(self) -> list[MatchId]:
        return sorted({keys.match_named(key) async for key in self._scan(keys.MATCHES)})

    async def put_record(self, kind: str, key: str, data: bytes) -> None:
        await self.put_records((port.StoredRecord(kind, key, data),))

    async def put_records(self, records: Iterable[port.StoredRecord]) -> list[int]:
        batch = port.checked_records(records)
        words = record_words.put_arguments(batch)
        return await self._change(record_scripts.PUT, *words, read=partial(record_words.read_put, batch))

    async def find_record(self, kind: str, key: str) -> port.KeptRecord | None:
        read = partial(record_words.read_record, key)
        return await self._ask(record_scripts.FIND, (), keys.quoted(kind), key.encode(), read=read)

    async def get_record(self, kind: str, key: str) -> bytes | None:
        found = await self.find_record(kind, key)
        return None if found is None else found.data

    async def page(self, kind: str, after: str | None = None, limit: int = port.PAGE_RECORDS) -> list[port.KeptRecord]:
        port.check_page(kind, after, limit)
        name, low = keys.quoted(kind), b"-" if after is None else b"(" + after.encode()
        found = await self._ask(record_scripts.LIST, (), name, low, limit, read=record_words.read_page)
        if found is not None:
            return found
        former = partial(record_words.former_page, after=after, limit=limit)
        return await self._look_up("HGETALL", keys.RECORDS + name, read=former)

    async def kinds(self) -> list[str]:
        found = {keys.kind_of(key) async for key in self._scan(keys.RECORDS + "*")}
        # of records that expire, perhaps all have
        others = {keys.kind_of(key) async for key in self._scan(keys.ORDER + "*")} - found
        return sorted(found | {kind for kind in others if await self.page(kind, None, 1)})

    async def delete_record(self, kind: str, key: str, schema: int = 1) -> None:
        words = (keys.quoted(kind), key.encode(), schema)
        found = await self._change(record_scripts.DROP, *words, read=int)
        if found:
            raise port.RecordTooNew(kind, key, found, schema)

    async def changes(
        self, kind: str, after: int, limit: int = port.PAGE_RECORDS
    ) -> list[port.RecordChange] | port.Trimmed:
        port.check_changes(kind, after, limit)
        words = (keys.quoted(kind), after, limit)
        return await self._ask(record_scripts.CHANGES, (keys.NUMBERS,), *words, read=record_words.read_changes)

    async def append_line(self, name: str, line: bytes, keep: int) -> int:
        port.check_line(name, line, keep)
        places = (keys.of_lines(name),)
        return await self._change_one(record_scripts.LINE, places, line, keep, port.fresh_nonce(), read=int)

    async def newest_lines(self, name: str, most: int) -> list[port.Line]:
        port.check_lines(name, most)
        command = ("XREVRANGE", keys.of_lines(name), "+", "-", "COUNT", most)
        return await self._look_up(*command, read=record_words.read_lines)

    async def delete_lines(self, name: str) -> None:
        await self._change_one(record_scripts.DROP_LINES, (keys.of_lines(name),), read=bool)

    async def put_due(self, name: str, times: Mapping[str, int]) -> None:
        port.check_due(name, times)
        words = record_words.due_arguments(times)
        await self._change_one(record_scripts.DUE, keys.of_due(name)[:1], *words, read=bool)

    async def drop_due(self, name: str, key: str) -> None:
        await self._change_one(record_scripts.DROP_DUE, keys.of_due(name)[:1], key.encode(), read=bool)

    async def take_due(self, name: str, until: int, most: int) -> list[port.DueTime]:
        port.check_taking(name, until, most)
        words = (until, most, port.fresh_nonce())
        return await self._change_one(record_scripts.TAKE, keys.of_due(name), *words, read=record_words.read_due)

    @property
    def promise(self) -> str:
        return self._connect.promise

    @property
    def may_lose(self) -> bool:
        return self._connect.may_lose

    async def in_doubt(self) -> None:
        await self._doubt.wait()
        self._doubt.clear()

    async def taken_over(self) -> None:
        await self._lease.lost.wait()

    async def close(self) -> None:
        if self._closing is None:
            self._closing = self._tasks.begin(self._close(), "redis-close")
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self._watching is not None:
            await stop([self._watching])
        freeing = self._tasks.begin(self._lease.free(), "redis-lease")
        await asyncio.sleep(0)  # so that it is the last request before the end
        await self._writes.stop()
        await self._reads.stop()
        await freeing
        self._lease.close()
        await self._connect.close()

    async def _write(
        self, match: MatchId, script: str, parts: tuple[str, ...], *arguments: Word, read: Callable[[Any], T]
    ) -> T:
        command = self._lease.guarded(script, keys.of_match(match, *parts), *arguments)
        return await self._lease.submit(RedisRequest(command, read, match))

    async def _change(self, script: str, *arguments: Word, read: Callable[[Any], T]) -> T:
        """Change records; asked again, the script knows the call by its nonce."""
        command = self._lease.guarded(script, record_words.CHANGING, *arguments, port.fresh_nonce())
        return await self._lease.submit(RedisRequest(command, read))

    async def _change_one(self, script: str, places: tuple[str, ...], *arguments: Word, read: Callable[[Any], T]) -> T:
        """Change what lies in the first of these places, of which one change is on its way at a time."""
        command = self._lease.guarded(script, places, *arguments)
        return await self._lease.submit(RedisRequest(command, read, places[0]))

    async def _ask(self, script: str, places: tuple[str, ...], *arguments: Word, read: Callable[[Any], T]) -> T:
        """Run a script that changes nothing."""
        return await self._look_up("EVALSHA", scripts.digest(script), len(places), *places, *arguments, read=read)

    async def _look_up(self, *command: Word, read: Callable[[Any], T]) -> T:
        return await self._reads.submit(RedisRequest(command, read))

    async def _scan(self, pattern: str) -> AsyncIterator[bytes]:
        """Yield the keys that match, some of them perhaps twice. SCAN, unlike KEYS, does not block Redis."""
        cursor = b"0"
        while True:
            cursor, found = await self._look_up("SCAN", cursor, "MATCH", pattern, "COUNT", PAGE, read=tuple)
            for key in found:
                yield key
            if cursor == b"0":
                return


def _number(answer: Any) -> int | None:
    return None if answer is None else int(answer)
