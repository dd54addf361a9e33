"""Tasks that come to their end."""

from __future__ import annotations

import asyncio
from contextlib import suppress


async def ended(tasks: list[asyncio.Task[None]]) -> None:
    """Wait until tasks that were cancelled have ended."""
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
