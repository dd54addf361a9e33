"""Work that is repeated until the store, or the disk, takes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from server.runtime.clock import Clock
from server.store.port import StoreDamaged, StoreError

RETRY_SECONDS: Final = 1.0

Done = TypeVar("Done")


async def until_stored(
    work: Callable[[], Awaitable[Done]],
    clock: Clock,
    failed: Callable[[Exception], object] = lambda problem: None,
    errors: type[Exception] = StoreError,
) -> Done:
    """Repeat `work` each RETRY_SECONDS until the store takes it, and return its result. `failed` is called with each
    error. `errors`: OSError where a file is written. Raises StoreDamaged, at once: trying again would not help."""
    while True:
        try:
            return await work()
        except StoreDamaged:
            raise
        except errors as problem:
            failed(problem)
        await clock.sleep(RETRY_SECONDS)
