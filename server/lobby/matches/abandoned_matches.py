"""The opening of secrets of matches that ended without a host to open them.

A secret is opened when its match ends, however it ends. The host opens that of a match with a result. Here are the
others: a match that was ended without its replay, at once; and one that has been parked for 22 hours, which is then
over (looked at every hour, so before 24 have passed).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from msgspec.structs import replace

from server.lobby.matches.match_lifecycle import MatchLifecycle
from server.lobby.services import Services
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import FINISHED, LIVE, TableRecord, finished
from server.runtime.errors import SealDamaged
from server.store.port import StoreError

PARKED_SECONDS: Final = 22 * 3600

Save = Callable[["LiveTable", TableRecord], Awaitable[None]]


def may_be_due(table: TableRecord) -> bool:
    """Return True where the secret of this table's match may still have to be opened."""
    return table.state == LIVE or (table.state == FINISHED and not table.replay and bool(table.sealed))


class AbandonedMatches:
    """Opener of the secrets of matches without a host. `save`: makes a record durable."""

    def __init__(self, services: Services, matches: MatchLifecycle, save: Save) -> None:
        self._services = services
        self._matches = matches
        self._save = save

    async def look(self, live: LiveTable) -> None:
        """Do for this table what is due. What cannot be done now is logged, and tried again the next time."""
        try:
            async with live.lock:
                after = await self._due(live)
                if after != live.record:
                    await self._save(live, after)
        except (StoreError, OSError, SealDamaged) as problem:
            self._services.log.error("unopened", match=live.record.match, problem=str(problem))
        except Exception as bug:  # noqa: BLE001 - the other tables are to be looked at all the same
            self._services.tasks.failed("unsealing", bug, table=live.record.id)

    async def _due(self, live: LiveTable) -> TableRecord:
        table, now = live.record, self._services.clock.wall()
        if table.state == FINISHED and not table.replay and table.sealed:
            return replace(table, replay=await self._matches.open_unfinished(table))
        if table.state != LIVE or live.is_asleep:
            return table
        if not live.is_parked:
            return replace(table, parked=0)
        if not table.parked:
            return replace(table, parked=now)
        if now - table.parked < PARKED_SECONDS:
            return table
        return finished(table, None, await self._matches.open_unfinished(table))
