"""Whether those whom a table waits for are still there: a cable that was pulled says nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from server.runtime.tasks import stop

if TYPE_CHECKING:
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.net.gateway_connection import GatewayConnection

SLICE: Final = 50
"""Connections that are looked at before others may run again: there may be thousands."""
PARTS: Final = 5
"""Looks within each of the times below."""


class LivenessCheck:
    """Of all connections. One from which nothing has come for `silence_seconds`, while its seat is waited for, is
    pinged; where nothing comes within `answer_seconds` either, it is given up. All others have the keepalive, which
    takes several times as long.

    What is waited for is waited for in the time of the loop, whatever the server's clock does, and in parts: a machine
    that stood still has heard nobody.
    """

    def __init__(self, services: Services, links: Mapping[Session, GatewayConnection]) -> None:
        self._limits = services.limits
        self._clock = services.clock
        self._background = services.background
        self._links = links
        self._probes: dict[Session, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Look from now on."""
        self._watching = self._background.keep(self._watch, "pulse")

    async def close(self) -> None:
        """Look no more."""
        await stop([*self._probes.values(), *([self._watching] if self._watching is not None else [])])

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._limits.silence_seconds / PARTS)
            for number, (session, socket) in enumerate(list(self._links.items()), start=1):
                if number % SLICE == 0:
                    await asyncio.sleep(0)
                if session in self._links and session not in self._probes and self._is_missed(session, socket):
                    self._probes[session] = self._background.begin(self._probe(session, socket), "ask")

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
