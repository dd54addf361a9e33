"""A store that is slow for as long as a test wants."""

from __future__ import annotations

import asyncio

from protocol.ids import MatchId
from server.store.port import AppendResult, Fence
from tests.support.doubles.memory_store import MemoryStore


class GatedStore(MemoryStore):
    """A store whose appends wait for its gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.reached = asyncio.Event()

    async def append(
        self, match: MatchId, fence: Fence, cause: bytes, expected: int, step: bytes, *, closes: str | None = None
    ) -> AppendResult:
        self.reached.set()
        await self.gate.wait()
        return await super().append(match, fence, cause, expected, step, closes=closes)
