"""A bounded queue of commands to Redis, sent in batches, and again after a lost connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from redis.backoff import ExponentialBackoff

from server.runtime.tasks import TaskSupervisor
from server.store.port import StoreError, StoreUnavailable
from server.store.redis.connection import ConnectionLost, RedisConnection, Timeouts
from server.store.redis.durability import REPLICAS
from server.store.redis.requests import PendingRequest, RedisRequest, is_known, refuse, resolve

T = TypeVar("T")

BATCH: Final = 500
FIRST_PAUSE: Final = 0.02
MOST_DOUBLINGS: Final = 30
"""Failures that make the next pause longer; the back-off of the library cannot count beyond a thousand."""

Connect = Callable[[RedisConnection | None], Awaitable[RedisConnection]]


class CommandQueue:
    """A queue that sends requests in the order in which they were submitted; all that wait when a batch is answered
    come next.

    A request whose outcome is not known (it was sent and not answered, or no replica has confirmed it in time) is sent
    again over the next connection, ahead of all others, until it is known: its caller learns the outcome, however long
    that takes. One that was not sent is refused once `timeouts.patience` seconds have gone without a connection over
    which all outcomes could be known. Replicas are waited for where the queue `is_writing`.
    """

    def __init__(
        self,
        connect: Connect,
        first: RedisConnection,
        limit: int,
        timeouts: Timeouts,
        tasks: TaskSupervisor,
        *,
        is_writing: bool,
    ) -> None:
        self._connect_anew = connect
        self._is_writing = is_writing
        self._log = tasks.log
        self._lost_at = 0.0
        self.batches = 0
        self._connection: RedisConnection | None = first
        self._last = first
        self._limit = limit
        self._timeouts = timeouts
        self._backoff = ExponentialBackoff(timeouts.pause, FIRST_PAUSE)
        self._waiting: deque[PendingRequest] = deque()
        self._unsure: deque[PendingRequest] = deque()
        self._changed = asyncio.Event()
        self._stopping = asyncio.Event()
        self._why = ""
        self._is_away = False
        self._is_stale = False
        self._run_meanwhile: bytes | None = None
        """Life of Redis that was named by `renew` while this queue was connecting."""
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
        self._waiting.append(PendingRequest(request, future))
        self._changed.set()
        return await future

    def renew(self, run: bytes) -> None:
        """Connect anew before anything else is sent, if the connection is not to this life of Redis."""
        if self._connection is None:
            self._run_meanwhile = run
        elif self._connection.run != run:
            self._is_stale = True
            self._changed.set()

    async def stop(self) -> None:
        """Refuse new requests, finish those that wait if Redis is there, and end. May be called again."""
        self._stopping.set()
        self._changed.set()
        await asyncio.shield(self._task)

    async def _run(self) -> None:
        failures = 0
        while await self._wait():
            try:
                if self._connection is None:
                    await self._reconnect()
                await self._send_batch()
                self._is_well()
                failures = 0
            except Exception as problem:  # noqa: BLE001 - a bug must not leave callers without an answer for ever
                is_told = isinstance(problem, ConnectionLost | StoreError)
                await self._drop_connection(str(problem) if is_told else f"The store met a fault: {problem!r}.")
                if self._stopping.is_set():
                    self._refuse_all()
                    break
                await self._pause(self._backoff.compute(failures))
                failures = min(failures + 1, MOST_DOUBLINGS)
        self._is_well()
        if self._connection is not None:
            await self._connection.close()

    async def _wait(self) -> bool:
        """Wait until there is work; return False when there is none and none will come."""
        while not self.depth and not self._stopping.is_set():
            if self._connection is None or self._is_stale:
                return True  # a lost connection is restored even while there is no request
            self._changed.clear()
            await self._changed.wait()
        return self.depth > 0

    async def _reconnect(self) -> None:
        self._is_stale = False
        self._run_meanwhile = None
        self._connection = self._last = await self._connect_anew(self._last)
        self._is_stale = self._run_meanwhile not in (None, self._connection.run)

    async def _send_batch(self) -> None:
        connection = self._connection
        assert connection is not None
        if self._is_stale:
            raise ConnectionLost("Another Redis has become the primary.")
        is_again = bool(self._unsure)
        if not is_again:
            self._fill_batch()
        batch = list(self._unsure)
        if not batch:
            return
        commands = [(is_again and job.request.again) or job.request.command for job in batch]
        answers: list[Any] = []
        is_kept = not (self._is_writing and connection.awaits_replica)
        try:
            await connection.send(commands if is_kept else [*commands, connection.wait])
            self.batches += 1
            for _ in batch:
                answers.append(await connection.answer())
            if not is_kept:
                count = await connection.answer()
                is_kept = not isinstance(count, StoreError) and count >= REPLICAS
                if not is_kept:
                    raise ConnectionLost(connection.unconfirmed)
        finally:
            self._settle(answers, is_again=is_again, is_kept=is_kept)
        if self._unsure:
            raise ConnectionLost(next(str(answer) for answer in answers if isinstance(answer, StoreError)))

    def _settle(self, answers: list[Any], *, is_again: bool, is_kept: bool) -> None:
        """Tell the outcomes that are known; the other requests stay, to be asked again."""
        jobs = list(self._unsure)
        self._unsure.clear()
        for number, job in enumerate(jobs):
            if number < len(answers) and is_known(answers[number], is_again=is_again, is_kept=is_kept):
                resolve(job, answers[number])
            else:
                self._unsure.append(job)

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
            self._lost_at = asyncio.get_running_loop().time()
            self._giving_up = asyncio.get_running_loop().call_later(self._timeouts.patience, self._give_up)
        self._why = why

    def _give_up(self) -> None:
        """Refuse all that wait, and all that come: the connection has been away for long."""
        self._is_away = True
        if self._is_writing:
            self._log.warning("redis-away", why=self._why)
        refuse(self._waiting, f"{self._why} Nothing was stored; try again soon.")

    def _is_well(self) -> None:
        if self._is_away and self._is_writing and not self._stopping.is_set():
            self._log.info("redis-back", seconds=round(asyncio.get_running_loop().time() - self._lost_at, 1))
        self._is_away = False
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None

    def _refuse_all(self) -> None:
        refuse(self._waiting, f"{self._why} Nothing was stored.")
        refuse(self._unsure, f"{self._why} Whether it was stored will show when the store is opened again.")

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return
