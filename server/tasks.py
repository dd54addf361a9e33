"""Tasks that come to their end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any


async def stop(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and wait until they have ended, however they do."""
    stopping = list(tasks)
    for task in stopping:
        task.cancel()
    await asyncio.gather(*stopping, return_exceptions=True)


async def ended(tasks: list[asyncio.Task[None]]) -> None:
    """Wait until tasks that were cancelled have ended."""
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
