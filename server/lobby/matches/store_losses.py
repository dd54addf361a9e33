"""The recovery of matches after a store has lost acknowledged steps: counted, told to their tables, played on from
before.

A store says when it has come back, or another has taken its place: then every live match is compared with it, one that
is asleep when it is read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from engine.core.match.causes import TableEvent
from server.lobby.lobby_tables import LobbyTables
from server.lobby.matches.match_lifecycle import MatchLifecycle
from server.lobby.services import Services
from server.lobby.stored_tables import StoredTables
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import LIVE
from server.match.host import MatchHost
from server.runtime.refusals import Refused
from server.runtime.tasks import ended, stop
from server.store.port import StoreDamaged
from server.store.retry import until_stored


class LastTold(NamedTuple):
    """A match as it was told last."""

    version: int
    head: bytes


class StoreLosses:
    """Recovery of matches that know more than their store. `on_other_host` is called with the table and the host that
    it had before."""

    def __init__(
        self,
        services: Services,
        matches: MatchLifecycle,
        tables: LobbyTables,
        stored: StoredTables,
        on_other_host: Callable[[LiveTable, MatchHost], None],
    ) -> None:
        self._services = services
        self._matches = matches
        self._tables = tables
        self._stored = stored
        self._on_other_host = on_other_host
        self._mending: dict[LiveTable, asyncio.Task[None]] = {}

    async def watch(self) -> None:
        """Store the tables again whenever the store is in doubt, and have every live match compared with it."""
        services = self._services
        while True:
            await services.store.in_doubt()
            services.log.warning("store-in-doubt", why="it came back, or another took its place")
            for live in self._tables.each():
                await self._store_again(live)
            for live in self._tables.in_memory():
                if live.record.state == LIVE and live.host is not None:
                    live.host.compare()

    async def _store_again(self, live: LiveTable) -> None:
        async with live.lock:
            if live.record.id in self._stored and not self._stored.is_newer(live.record.id):
                try:
                    await until_stored(partial(self._stored.put_again, live.record), self._services.clock)
                except StoreDamaged as problem:
                    self._services.log.error("store", table=live.record.id, problem=str(problem))

    def found(self, live: LiveTable) -> None:
        """Begin the recovery of a match of which the store has fewer steps than were acknowledged; its host has
        stopped."""
        if live not in self._mending:
            task = self._mending[live] = self._services.tasks.begin(self._mend(live), "mend")
            task.add_done_callback(lambda _: self._mending.pop(live, None))

    async def close(self) -> None:
        """Leave what is being recovered to the next start."""
        await stop(self._mending.values())

    async def _mend(self, live: LiveTable) -> None:
        """Fold a match again from what the store has left of it, and say how much is gone."""
        host = live.host
        if host is None:
            return
        before = LastTold(host.match.version, host.match.head)
        if (finishing := host.finish()) is not None:
            await finishing
        await ended(host.stop())
        log = self._services.log
        try:
            await until_stored(lambda: self._matches.open(live), self._services.clock)
        except Exception as problem:
            log.error(
                "parked", match=live.record.match, problem=f"{type(problem).__name__}: {problem}", exc_info=problem
            )
            live.parked()
            return
        lost = self._count(live, before)
        self._matches.run(live)
        live.views.show_anew()
        self._on_other_host(live, host)
        if lost:
            live.broadcast.say(Refused("match/steps-lost", steps=lost).problem())
            self._note(live, lost)

    def woken(self, live: LiveTable, before: LastTold) -> None:
        """Compare a match that has been read again with what was known of it when it was put away."""
        if live.host is not None and before != (live.host.match.version, live.host.match.head):
            self._note(live, self._count(live, before))

    def _count(self, live: LiveTable, before: LastTold) -> int:
        """Count and log the steps that a match has lost, and return their number."""
        version, head = (live.host.match.version, live.host.match.head) if live.host is not None else (0, b"")
        lost = max(before.version - version, int(version == before.version and head != before.head))
        self._services.metrics.steps_lost.add("store", lost)
        self._services.log.error("steps-lost", match=live.record.match, steps=lost, version=version)
        return lost

    def _note(self, live: LiveTable, lost: int) -> None:
        """Say in the log of the match, which all at the table see, how much is gone."""
        if live.host is not None:
            live.host.note(TableEvent("steps_lost", -1, str(lost)))
