"""Requests to Redis that wait for their answers, and what an answer says of their outcome."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from server.store.port import StoreDamaged, StoreError, StoreInUse, StoreUnavailable
from server.store.redis.connection import Command

T = TypeVar("T")


class RedisRequest(NamedTuple, Generic[T]):
    """A command, the reading of its answer, and the command to send again where its outcome is not known.

    writes: the match that it changes. No second change of a match is sent before the first is answered, so that one
    which is sent again meets the match as it left it.
    """

    command: Command
    read: Callable[[Any], T]
    writes: str | None = None
    again: Command | None = None


class PendingRequest(NamedTuple):
    """A request whose caller waits."""

    request: RedisRequest[Any]
    future: asyncio.Future[Any]


def is_known(answer: Any, *, is_again: bool, is_kept: bool) -> bool:
    """Return True where this answer tells the outcome. A refusal does, but not of what may have been done before."""
    if isinstance(answer, StoreError):
        return not is_again or isinstance(answer, StoreInUse | StoreDamaged)
    return is_kept


def refuse(jobs: deque[PendingRequest], why: str) -> None:
    """Take all of these out of their queue, and refuse them with this reason."""
    while jobs:
        job = jobs.popleft()
        if not job.future.done():
            job.future.set_exception(StoreUnavailable(why))


def resolve(job: PendingRequest, answer: Any) -> None:
    """Tell the caller this answer, as `read` gives it, or the failure of it."""
    if job.future.done():
        return
    if isinstance(answer, StoreError):
        job.future.set_exception(answer)
        return
    try:
        job.future.set_result(job.request.read(answer))
    except Exception as problem:  # noqa: BLE001 - what lies there is not ours
        job.future.set_exception(problem)
