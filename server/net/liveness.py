"""Liveness of the clients that a table waits for: a cable that was pulled sends nothing, not even an end."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from server.lobby.services import Services
from server.lobby.sessions import Session
from server.net.gateway_connection import GatewayConnection
from server.runtime.tasks import stop

SLICE: Final = 50
"""Connections that are checked before other work may run again: there may be thousands."""
PARTS: Final = 5
"""Checks within `silence_seconds`, and within `answer_seconds`."""


class LivenessCheck:
    """The check of all connections.

    A connection from which nothing has come for `silence_seconds`, while its seat is waited for, is pinged; where
    nothing comes within `answer_seconds` either, it is given up. All others have the library's keepalive, which takes
    several times as long. Waiting counts the loop's time, not the server's clock, and in parts, so that a machine that
    was suspended does not take its own silence for that of its clients.
    """

    def __init__(self, services: Services, links: Mapping[Session, GatewayConnection]) -> None:
        self._limits = services.limits
        self._clock = services.clock
        self._tasks = services.tasks
        self._links = links
        self._probes: dict[Session, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start checking."""
        self._watching = self._tasks.keep(self._watch, "pulse")

    async def close(self) -> None:
        """Stop checking."""
        await stop([*self._probes.values(), *([self._watching] if self._watching is not None else [])])

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._limits.silence_seconds / PARTS)
            for number, (session, socket) in enumerate(list(self._links.items()), start=1):
                if number % SLICE == 0:
                    await asyncio.sleep(0)
                if session in self._links and session not in self._probes and self._is_missed(session, socket):
                    self._probes[session] = self._tasks.begin(self._probe(session, socket), "ask")

    def _is_missed(self, session: Session, socket: GatewayConnection) -> bool:
        silent = self._clock.now() - socket.inbound.last_data_at
        live = session.table
        if live is None or silent < self._limits.silence_seconds or session.is_closing:
            return False
        seat = live.seat_of(session)
        return seat is not None and seat in live.waiting

    async def _probe(self, session: Session, socket: GatewayConnection) -> None:
        try:
            before = socket.inbound.reads
            socket.send_liveness_ping()
            for _ in range(PARTS):
                await asyncio.sleep(self._limits.answer_seconds / PARTS)
                if socket.inbound.reads != before:
                    return
            session.give_up(socket.inbound.last_data_at)
            socket.transport.abort()
        finally:
            del self._probes[session]
