"""Tasks that begin at once, and the end of tasks."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Collection, Coroutine, Generator, Iterable
from typing import Any


def begin(work: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run `work` now, as far as it goes without waiting; return the task that does the rest, None where nothing is
    left.

    Any other task begins in the next turn of the loop, behind all that is ready to run by then. What comes before the
    first wait must not ask for the task that it runs in (as asyncio.timeout does): that is still the caller's. From
    Python 3.12 on, this is asyncio.Task(eager_start=True).
    """
    try:
        awaited = work.send(None)
    except StopIteration:
        return None
    rest = _begun(work, awaited)
    # a task that is cancelled before it has had a turn never comes into what has not begun, and so not to the work
    rest.send(None)
    return asyncio.get_running_loop().create_task(rest)


@types.coroutine
def _begun(work: Coroutine[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    """Run `yield from work`, but for its first awaited object, which is known already.

    Before that it waits for nothing, once, so that it has begun when a task is made of it.
    """
    waits: tuple[Any, ...] = (None, awaited)
    while True:
        try:
            yield from waits
        except BaseException as raised:  # noqa: BLE001 - `yield from` hands everything on, its end by force too
            try:
                waits = (work.throw(raised),)
            except StopIteration:
                return
        else:
            break
    yield from work


async def stop(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and wait until they have ended, however they do. When cancelled, they end all the same."""
    stopping = list(tasks)
    for task in stopping:
        task.cancel()
    await ended(stopping)


async def ended(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Wait until cancelled tasks have ended, however they do.

    An exception of one is not raised here, nor marked as retrieved: the loop logs it. A cancellation of the caller is
    never taken for theirs.
    """
    if tasks:
        await asyncio.wait(tasks)
