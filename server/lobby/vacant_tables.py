"""The removal of tables that have not begun and at which nobody is, so that they cannot fill the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from server.lobby.services import Services
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import OPEN
from server.runtime.clock import set_or_due

MAIL_SECONDS: Final = 24 * 3600.0


class VacantTables:
    """Watch over vacant tables. One that everybody has left goes at once; one whose people have lost their connection,
    after `Limits.vacant_seconds`; one that is played by mail, a day after. A person who is connected and looks at
    something else still counts as present.

    `is_here` tells who is connected to the server; `remove` takes a table away.
    """

    def __init__(
        self, services: Services, is_here: Callable[[str], bool], remove: Callable[[LiveTable], Awaitable[None]]
    ) -> None:
        self._services = services
        self._is_here = is_here
        self._remove = remove
        self._since: dict[LiveTable, float] = {}
        self._woken = asyncio.Event()

    def look(self, live: LiveTable) -> None:
        """Look at a table to which somebody has come, or from which somebody has gone, or from the server."""
        if not self.is_vacant(live):
            self._since.pop(live, None)
        elif live not in self._since:
            self._since[live] = self._services.clock.now()
            self._woken.set()
        elif not live.record.people or live.record.closed:
            self._woken.set()

    def is_vacant(self, live: LiveTable) -> bool:
        """Return True where the table has not begun, and is closed, or nobody is there or has promised to come."""
        record = live.record
        if record.state != OPEN:
            return False
        is_promised = bool(record.begins and record.people)
        is_left = not live.sessions and not any(map(self._is_here, record.people))
        return record.closed or (is_left and not is_promised)

    async def watch(self) -> None:
        """Remove tables that have been vacant for long enough, until cancelled."""
        while True:
            self._woken.clear()
            now = self._services.clock.now()
            for live in list(self._since):
                if not self.is_vacant(live):
                    self._since.pop(live, None)
                elif self._due(live) <= now:
                    self._since.pop(live, None)
                    await self._remove(live)
            await self._rest()

    def _due(self, live: LiveTable) -> float:
        record, since = live.record, self._since[live]
        if not record.people or record.closed:
            return since
        return since + (MAIL_SECONDS if record.mail else self._services.limits.vacant_seconds)

    async def _rest(self) -> None:
        """Wait until the first of them is due, or something changes."""
        due = min(map(self._due, self._since), default=None)
        if due is None:
            await self._woken.wait()
        else:
            await set_or_due(self._woken, self._services.clock, due)
