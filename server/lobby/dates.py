"""The watch over tables that have a beginning: people are told of it, and seats of those who do not come are freed.

Whom a table has told is in its record, so that a restart repeats and loses nothing; whoever is not connected is told
when they are.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from protocol.wire.dates import DateTold
from server.lobby.table import table_dates
from server.lobby.table.table_dates import FREED_SECONDS, OPENED
from server.lobby.table.table_names import title_of
from server.lobby.table.table_record import OPEN
from server.runtime.clock import set_or_due
from server.store.port import StoreError

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord

LOOK_SECONDS: Final = 60
"""After which the wall clock is looked at again: it may have been set."""
RETRY_SECONDS: Final = 1
"""After the store has failed."""


class TableDates:
    """Watch over all tables of a lobby that have a beginning and have not begun."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby
        self._since = services.clock.wall()
        self._due: dict[LiveTable, int] = {}
        """Unix time of the next look at each."""
        self._woken = asyncio.Event()

    def look(self, live: LiveTable) -> None:
        """Look at a table that has changed, or to which somebody has come."""
        if _is_dated(live.record):
            self._due[live] = 0
            self._woken.set()
        else:
            self._due.pop(live, None)

    def gone(self, live: LiveTable) -> None:
        """Forget a table that has gone."""
        self._due.pop(live, None)

    def follow(self, session: Session) -> None:
        """Tell a connection that wants to know of dates what its person has not been told."""
        for live in self._lobby.unfinished_of(session.who):
            self.look(live)

    async def watch(self) -> None:
        """Do what is due, until cancelled."""
        clock = self._services.clock
        while True:
            self._woken.clear()
            now = clock.wall()
            for live in [live for live, due in self._due.items() if due <= now]:
                self._due[live] = now + RETRY_SECONDS
                with suppress(StoreError):
                    await self._mind(live, now)
            if self._due:
                seconds = min(LOOK_SECONDS, min(self._due.values()) - clock.wall())
                await set_or_due(self._woken, clock, clock.now() + seconds)
            else:
                await self._woken.wait()

    def _freed_at(self, table: TableRecord) -> int:
        """Return when seats are freed: people have the same time to come after a start of the server."""
        return max(table.begins, self._since) + FREED_SECONDS

    async def _mind(self, live: LiveTable, now: int) -> None:
        """Do what is due at a table, and note when something is due again. Raises StoreError."""
        async with live.lock:
            record = live.record
            if not _is_dated(record) or self._lobby.find(record.id) is not live:
                self.gone(live)
            elif now >= self._freed_at(record):
                await self._free(live)
            else:
                await self._tell(live, now)
                self._lobby.notices.look(live)
                self._due[live] = table_dates.next_stage_at(record, now) or self._freed_at(record)

    async def _tell(self, live: LiveTable, now: int) -> None:
        """Tell those who are connected of the stage, if they do not know it; who is at the table sees it."""
        record = live.record
        stage = table_dates.stage_of(record, now)
        here = {session.who for session in live.participants.players}
        told = [
            who
            for who in table_dates.untold(record, stage)
            if who in here or self._say(who, record, opened=stage == OPENED)
        ]
        if told:
            await self._lobby.save(live, table_dates.told(record, told, stage))

    async def _free(self, live: LiveTable) -> None:
        record = live.record
        after = table_dates.freed(record, {session.who for session in live.participants.players})
        await self._lobby.save(live, after)
        for who in set(record.people) - set(after.people):
            self._say(who, record, freed=True)

    def _say(self, who: str, table: TableRecord, *, opened: bool = False, freed: bool = False) -> bool:
        """Tell a person; return True where a connection of theirs has heard it."""
        hearing = [session for session in self._lobby.connections(who) if session.follows_invitations]
        for session in hearing:
            session.say(DateTold(table.id, title_of(table), table.begins, opened, freed))
        return bool(hearing)


def _is_dated(table: TableRecord) -> bool:
    return table.state == OPEN and table.begins > 0
