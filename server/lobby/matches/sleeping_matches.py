"""Live matches that are not in memory: each is read when somebody comes to its table, or shortly before it is due.

A match that rests stands in a set of due times of the store, and never while it is in memory: so one that a killed
server had in memory is read by the next one at once, beside what people ask for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, Final

from protocol.ids import TableId
from server.lobby.matches.store_losses import LastTold
from server.lobby.table.table_record import LIVE
from server.runtime.clock import set_or_due
from server.runtime.tasks import ended
from server.store.port import LATEST, MOST_DUE, StoreError

if TYPE_CHECKING:
    from server.lobby.matches.store_losses import StoreLosses
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable

RESTING: Final = "resting-matches"
"""Name of the set in the store: ids of tables, and the Unix seconds at which their matches are due."""
NEVER: Final = LATEST
"""Due time of a match in which nothing happens until somebody comes."""
CHECK_SECONDS: Final = 3600
"""In which all matches that rested before a start are read once, spread evenly: the secret of one that cannot be read
any more is to be opened, though nobody comes."""
NEAR_SECONDS: Final = 5
"""A match is read so long before it is due."""
AGAIN_SECONDS: Final = 1
"""Seconds after a failure of the store until a match is tried again."""
LOOK_SECONDS: Final = 60.0
"""Seconds between two looks for matches that can be put away."""
ALONE_SECONDS: Final = 300.0
"""A match that rests, and at which nobody has been for so long, is put away."""


class SleepingMatches:
    """The matches of a lobby that are live and not in memory. `tables`: those that are not finished, as they come and
    go; `read`: fold the match of a table and run it, or park it, which raises StoreError where that is to be tried
    again; `awake`: called when that has been done; `losses`: told what was known of a match that is read again."""

    def __init__(
        self,
        services: Services,
        tables: Mapping[TableId, LiveTable],
        read: Callable[[LiveTable], Awaitable[None]],
        awake: Callable[[LiveTable], Awaitable[None]],
        losses: StoreLosses,
    ) -> None:
        self._services = services
        self._tables = tables
        self._read = read
        self._awake = awake
        self._losses = losses
        self._last_told: dict[LiveTable, LastTold] = {}
        """Matches that this process has put away, as they were then."""
        self._due: dict[TableId, int] = {}
        self._queue: list[tuple[int, TableId]] = []
        """Times to look whether a match is still asleep, as a heap."""
        self._looks: dict[TableId, int] = {}
        """The next look at each match: later ones in the queue do not count."""
        self._wanted: dict[LiveTable, None] = {}
        self._alone_since: dict[LiveTable, float] = {}
        self._changed = asyncio.Event()

    async def open(self) -> None:
        """Read when the matches of all tables are due. Raises StoreError."""
        tables, store, found = self._tables, self._services.store, dict[TableId, int]()
        while taken := await store.take_due(RESTING, LATEST, MOST_DUE):
            found.update((TableId(due.key), due.at) for due in taken)
        await self._keep({id: at for id, at in found.items() if id in tables and tables[id].record.state == LIVE})
        asleep = [live for live in tables.values() if live.is_asleep]
        now = self._services.clock.wall()
        for number, live in enumerate(asleep):
            id = live.record.id
            self._set_due(id, 0 if self._goes_on(live) else found.get(id, 0))
            self._look(id, now + CHECK_SECONDS * number // len(asleep))

    def _goes_on(self, live: LiveTable) -> bool:
        """Return True for a match that rested under other settings, or that cannot be read."""
        record = live.record
        plays_alone = self._services.bots_alone and not record.people
        return plays_alone or record.parked > 0 or record.system not in self._services.systems

    def want(self, tables: Iterable[LiveTable]) -> None:
        """Have the matches of these tables read soon: somebody looks at the list in which they stand."""
        asleep = [live for live in tables if live.is_asleep]
        if asleep:
            self._wanted.update(dict.fromkeys(asleep))
            self._changed.set()

    async def wake(self, live: LiveTable) -> None:
        """Read the match of this table if it is asleep, once for all who come meanwhile. Raises StoreError."""
        if not live.is_asleep:
            return
        async with live.lock:
            was_asleep = live.is_asleep
            if was_asleep:
                await self._wake(live)
        if was_asleep:
            await self._awake(live)

    async def _wake(self, live: LiveTable) -> None:
        id, services = live.record.id, self._services
        try:
            await services.store.drop_due(RESTING, id)
            await self._read(live)
        except StoreError:
            self._look(id, services.clock.wall() + AGAIN_SECONDS)
            raise
        self._looks.pop(id, None)
        before = self._last_told.pop(live, None)
        if before is not None:
            self._losses.woken(live, before)
        due = self._due.pop(id, NEVER)
        if live.is_deserted and live.activity.deserted_since is None and 0 < due < NEVER:
            left = due - services.clock.wall()
            live.activity.deserted_since = services.clock.now() + left - services.limits.deserted_seconds

    # In time

    async def watch(self) -> None:
        """Read what people look at and what is due, one match after another, until cancelled."""
        while True:
            self._changed.clear()
            live = self._next()
            if live is None:
                await self._wait()
                continue
            try:
                await self.wake(live)
            except StoreError as problem:
                self._services.log.error("store", problem=str(problem))
            await asyncio.sleep(0)

    def _next(self) -> LiveTable | None:
        """Return the next match to be read now, None where there is none."""
        while self._wanted:
            live = next(iter(self._wanted))
            del self._wanted[live]
            if live.is_asleep:
                return live
        while self._queue and self._queue[0][0] <= self._services.clock.wall():
            at, id = heappop(self._queue)
            if self._looks.get(id) != at:
                continue
            del self._looks[id]
            known = self._tables.get(id)
            if known is not None and known.is_asleep:
                return known
        return None

    async def _wait(self) -> None:
        """Wait until something is wanted, or nearly due."""
        if not self._queue:
            await self._changed.wait()
            return
        clock = self._services.clock
        await set_or_due(self._changed, clock, clock.now() + self._queue[0][0] - clock.wall())

    def _set_due(self, id: TableId, at: int) -> None:
        self._due[id] = at
        if at != NEVER:
            self._look(id, at - NEAR_SECONDS)

    def _look(self, id: TableId, at: int) -> None:
        """Look at this time whether the match is still asleep, unless that is done before."""
        if at < self._looks.get(id, NEVER):
            self._looks[id] = at
            heappush(self._queue, (at, id))
            self._changed.set()

    # Putting away

    async def tidy(self) -> None:
        """Put matches away in which nothing happens and at which nobody has been for long, until cancelled."""
        while True:
            await self._services.clock.sleep(LOOK_SECONDS)
            await self._tidy()

    async def _tidy(self) -> None:
        self._alone_since = {live: at for live, at in self._alone_since.items() if live.record.state == LIVE}
        for live in list(self._tables.values()):
            if self._has_been_alone(live):
                async with live.lock:
                    await self._put_away(live)

    def _has_been_alone(self, live: LiveTable) -> bool:
        if live.sessions or live.host is None or self.due_of(live) is None:
            self._alone_since.pop(live, None)
            return False
        now = self._services.clock.now()
        return now - self._alone_since.setdefault(live, now) >= ALONE_SECONDS

    async def _put_away(self, live: LiveTable) -> None:
        at = self.due_of(live)
        if live.sessions or live.host is None or at is None:
            return
        self._alone_since.pop(live, None)
        self._last_told[live] = LastTold(live.host.match.version, live.host.match.head)
        await ended(live.fall_asleep())
        self._set_due(live.record.id, at)
        # what could not be noted is read at once by the next server
        with suppress(StoreError):
            await self._keep({live.record.id: at})

    def due_of(self, live: LiveTable) -> int | None:
        """Return the Unix seconds at which something happens in a match by itself when all have gone, None where that
        is now, or where it has no host that could be asked."""
        record, host, services = live.record, live.host, self._services
        if record.state != LIVE or host is None or live.is_parked or live.is_over or record.ending:
            return None
        if record.vote is not None or not host.is_at_rest:
            return None
        if record.people or services.bots_alone:
            return NEVER
        since = live.activity.deserted_since
        passed = 0.0 if since is None else services.clock.now() - since
        return round(services.clock.wall() + services.limits.deserted_seconds - passed)

    async def rest(self, tables: Mapping[TableId, int]) -> None:
        """Note that these matches rest, the server being about to end. What cannot be noted is read at once by the next
        one."""
        with suppress(StoreError):
            await self._keep(tables)

    async def _keep(self, due: Mapping[TableId, int]) -> None:
        left = iter(due.items())
        while batch := dict(islice(left, MOST_DUE)):
            await self._services.store.put_due(RESTING, {str(id): at for id, at in batch.items()})
