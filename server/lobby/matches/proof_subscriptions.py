"""The connections that have asked for the facts by which chance at their table can be checked."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import NamedTuple

from engine.core.rules.audience import Seat
from protocol.wire import from_client as said
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import LIVE
from server.match.host import MatchHost
from server.match.news import COMPARING
from server.match.proof_plane import HostEnded
from server.runtime.refusals import Refused
from server.store.port import StoreError


class _Telling(NamedTuple):
    live: LiveTable
    after: int
    task: asyncio.Task[None]


class _Early(NamedTuple):
    live: LiveTable
    after: int


class ProofSubscriptions:
    """Subscriptions to facts. A connection is told them from the number it asks for, also after its match has got
    another host."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tellings: dict[Session, _Telling] = {}
        self._early: dict[Session, _Early] = {}
        """Those who asked before their match had a host."""

    async def ask(self, session: Session, asked: said.GetProof) -> None:
        """Begin a subscription in place of the connection's former one; while the match is being read, or played
        again under other code, as soon as that is done. Raises Refused."""
        live = session.table
        if live is None or live.record.id != asked.table:
            raise Refused("proof/none")
        async with live.lock:  # the match may be about to begin
            host = live.host
        if host is None and live.record.state == LIVE and live.why_parked in ("", COMPARING):
            self._early[session] = _Early(live, asked.after)
            return
        if host is None:
            raise Refused("proof/none")
        self._begin(session, live, host, asked.after)

    def begin(self, live: LiveTable) -> None:
        """Begin the subscriptions of those who asked before this table's match had a host."""
        for session, asked in list(self._early.items()):
            if asked.live is live:
                del self._early[session]
                if session.table is live and live.host is not None:
                    self._begin(session, live, live.host, asked.after)

    def go_on(self, live: LiveTable, before: MatchHost) -> None:
        """Continue all subscriptions at a table that has another host than `before`."""
        for session, telling in list(self._tellings.items()):
            if live.host is not None and session.table is live and telling.live is live:
                told = before.facts_told(session)
                self._begin(session, live, live.host, telling.after if told is None else told)

    def gone(self, session: Session) -> None:
        """End the subscription of a connection that has ended."""
        self._early.pop(session, None)
        telling = self._tellings.pop(session, None)
        if telling is not None:
            telling.task.cancel()

    def tasks(self) -> list[asyncio.Task[None]]:
        """Return the tasks that are telling."""
        return [telling.task for telling in self._tellings.values()]

    def _begin(self, session: Session, live: LiveTable, host: MatchHost, after: int) -> None:
        self.gone(session)
        task = self._services.tasks.begin(self._tell(session, host, after), "proof")
        self._tellings[session] = _Telling(live, after, task)

    async def _tell(self, session: Session, host: MatchHost, after: int) -> None:
        try:
            proofs = await host.proofs()
        except HostEnded:
            # `go_on` comes with the next one
            return
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            session.say(Refused("store/unavailable").problem())
            return
        while (view := host.channels.view_of(session)) is not None:
            if await proofs.tell(session, view.seat, after, partial(_belongs, host, session, view.seat)):
                return
            # the facts of another audience have numbers of their own
            after = 0


def _belongs(host: MatchHost, session: Session, seat: Seat | None) -> bool:
    """Return True while a connection belongs to the audience of this seat (None: a spectator)."""
    view = host.channels.view_of(session)
    return view is not None and view.seat == seat
