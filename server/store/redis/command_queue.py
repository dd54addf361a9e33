"""A bounded queue of commands to Redis, sent in batches, and again after a lost connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

from server.runtime.tasks import TaskSupervisor
from server.store.port import StoreError, StoreUnavailable
from server.store.redis.connection import Command, ConnectionLost, RedisConnection, Timeouts

T = TypeVar("T")

BATCH: Final = 500
FIRST_PAUSE: Final = 0.02

Connect = Callable[[RedisConnection | None], Awaitable[RedisConnection]]


class RedisRequest(NamedTuple, Generic[T]):
    """A command, the reading of its answer, and the command to send again where its outcome is not known.

    writes: the match that it changes. No second change of a match is sent before the first is answered, so that one
    which is sent again meets the match as it left it.
    """

    command: Command
    read: Callable[[Any], T]
    writes: str | None = None
    again: Command | None = None


class _Pending(NamedTuple):
    request: RedisRequest[Any]
    future: asyncio.Future[Any]


class CommandQueue:
    """A queue that sends requests in the order in which they were submitted; all that wait when a batch is answered
    come next.

    A request that was sent and not answered is sent again over the next connection, ahead of all others, until it is
    answered: its caller learns the outcome, however long that takes. One that was not sent is refused once the
    connection has been away for `timeouts.patience` seconds.
    """

    def __init__(
        self, connect: Connect, first: RedisConnection, limit: int, timeouts: Timeouts, tasks: TaskSupervisor
    ) -> None:
        self._connect_anew = connect
        self.batches = 0
        self._connection: RedisConnection | None = first
        self._last = first
        self._limit = limit
        self._timeouts = timeouts
        self._waiting: deque[_Pending] = deque()
        self._unsure: deque[_Pending] = deque()
        self._changed = asyncio.Event()
        self._stopping = asyncio.Event()
        self._why = ""
        self._is_away = False
        self._giving_up: asyncio.TimerHandle | None = None
        self._task = tasks.begin(self._run(), "redis-queue")

    @property
    def depth(self) -> int:
        """Number of requests that wait or are on their way."""
        return len(self._waiting) + len(self._unsure)

    async def submit(self, request: RedisRequest[T]) -> T:
        """Send a request, and return its answer as `read` gives it. Raises StoreError; when cancelled, it may or may
        not be done."""
        if self._stopping.is_set():
            raise StoreUnavailable("The store is closed.")
        if self._is_away:
            raise StoreUnavailable(f"{self._why} Nothing was stored; try again soon.")
        if self.depth >= self._limit:
            raise StoreUnavailable(f"The store is busy: {self._limit} operations are waiting. Try again soon.")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Pending(request, future))
        self._changed.set()
        return await future

    async def stop(self) -> None:
        """Refuse new requests, finish those that wait if Redis is there, and end. May be called again."""
        self._stopping.set()
        self._changed.set()
        await asyncio.shield(self._task)

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while await self._wait():
            try:
                if self._connection is None:
                    await self._reconnect()
                pause = FIRST_PAUSE
                await self._send_batch()
            except Exception as problem:  # noqa: BLE001 - a bug must not leave callers without an answer for ever
                is_told = isinstance(problem, ConnectionLost | StoreError)
                await self._drop_connection(str(problem) if is_told else f"The store met a fault: {problem!r}.")
                if self._stopping.is_set():
                    self._refuse_all()
                    break
                await self._pause(pause)
                pause = min(2 * pause, self._timeouts.pause)
        self._is_well()
        if self._connection is not None:
            await self._connection.close()

    async def _wait(self) -> bool:
        """Wait until there is work; return False when there is none and none will come."""
        while not self.depth and not self._stopping.is_set():
            if self._connection is None:
                return True  # a lost connection is restored even while there is no request
            self._changed.clear()
            await self._changed.wait()
        return self.depth > 0

    async def _reconnect(self) -> None:
        self._connection = self._last = await self._connect_anew(self._last)
        self._is_well()

    async def _send_batch(self) -> None:
        assert self._connection is not None
        asked_again = len(self._unsure)
        if not asked_again:
            self._fill_batch()
        batch = list(self._unsure)
        commands = [
            job.request.again or job.request.command if number < asked_again else job.request.command
            for number, job in enumerate(batch)
        ]
        await self._connection.send(commands)
        self.batches += 1
        for job in batch:
            answer = await self._connection.answer()
            self._unsure.popleft()
            _resolve(job, answer)

    def _fill_batch(self) -> None:
        changed: set[str] = set()
        while self._waiting and len(self._unsure) < BATCH:
            match = self._waiting[0].request.writes
            if match in changed:
                break
            job = self._waiting.popleft()
            if not job.future.cancelled():
                self._unsure.append(job)
                changed |= {match} if match is not None else set()

    async def _drop_connection(self, why: str) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()
        if self._giving_up is None:
            self._giving_up = asyncio.get_running_loop().call_later(self._timeouts.patience, self._give_up)
        self._why = why

    def _give_up(self) -> None:
        """Refuse all that wait, and all that come: the connection has been away for long."""
        self._is_away = True
        _refuse(self._waiting, f"{self._why} Nothing was stored; try again soon.")

    def _is_well(self) -> None:
        self._is_away = False
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None

    def _refuse_all(self) -> None:
        _refuse(self._waiting, f"{self._why} Nothing was stored.")
        _refuse(self._unsure, f"{self._why} Whether it was stored will show when the store is opened again.")

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return


def _refuse(jobs: deque[_Pending], why: str) -> None:
    """Take all of these out of their queue, and refuse them with this reason."""
    while jobs:
        job = jobs.popleft()
        if not job.future.done():
            job.future.set_exception(StoreUnavailable(why))


def _resolve(job: _Pending, answer: Any) -> None:
    if job.future.done():
        return
    if isinstance(answer, StoreError):
        job.future.set_exception(answer)
        return
    try:
        job.future.set_result(job.request.read(answer))
    except Exception as problem:  # noqa: BLE001 - what lies there is not ours
        job.future.set_exception(problem)
