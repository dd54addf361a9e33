"""Live matches that were played by other rule code than is installed now: each is played again before it goes on.

Where all comes out the same it goes on, and a table event names the new code. Where not it is parked, and its seats
vote: to end it, or to play on under the changed rules from a step that says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from server.lobby.matches.match_lifecycle import MatchLifecycle
from server.lobby.services import Services
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import LIVE
from server.match.log_comparison import Comparison, ComparisonJob, compare_log
from server.match.news import COMPARING, OTHER_RULES, PARKED
from server.runtime.child_processes import spare_cores
from server.runtime.tasks import stop
from server.store.retry import until_stored

Done = TypeVar("Done")


class ChangedRules:
    """The matches of all tables whose rule code has changed. A comparison that is under way when the server ends is
    made at the next start."""

    def __init__(self, services: Services, matches: MatchLifecycle, hosted: Callable[[LiveTable], None]) -> None:
        self._services = services
        self._matches = matches
        self._hosted = hosted
        self._workers = asyncio.Semaphore(spare_cores())
        self._tasks: dict[LiveTable, asyncio.Task[None]] = {}

    def found(self, live: LiveTable) -> None:
        """Take a match that was played by other code and has no host. Where its people have agreed to play on under
        this one it goes on, else it is played again first."""
        is_agreed = live.record.play_on == self._matches.code(live.record).digest
        live.park(COMPARING)
        self._begin(live, self._go_on(live) if is_agreed else self._compare(live))

    def play_on(self, live: LiveTable) -> None:
        """Let a match go on under changed rules, as its people have agreed durably."""
        self._begin(live, self._go_on(live))

    async def close(self) -> None:
        """Leave the others to the next start."""
        await stop(self._tasks.values())

    def _begin(self, live: LiveTable, work: Awaitable[None]) -> None:
        task = self._tasks[live] = self._services.tasks.begin(self._safely(live, work), "other-code")
        task.add_done_callback(lambda _: self._tasks.pop(live, None))

    async def _safely(self, live: LiveTable, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception as problem:  # noqa: BLE001 - other rules may raise anything, which concerns this match alone
            self._park(live, PARKED, problem)

    def _park(self, live: LiveTable, code: str, problem: object) -> None:
        kind = type(problem).__name__
        about = {"problem": f"{kind}: {problem}", "exc_info": problem} if isinstance(problem, Exception) else {}
        self._services.log.error("parked", match=live.record.match, **({"problem": str(problem)} | about))
        live.parked(code)

    async def _compare(self, live: LiveTable) -> None:
        async with self._workers:
            came = await self._played_again(live)
        if live.record.state != LIVE:
            return
        if came.head:
            await self._go_on(live, came.head)
        else:
            problem = f"it does not come out the same after step {came.version}: {came.why}"
            self._park(live, OTHER_RULES if came.goes_on else PARKED, problem)

    async def _played_again(self, live: LiveTable) -> Comparison:
        table = live.record
        steps = await self._until_stored(lambda: self._services.store.read(table.match))
        log = tuple(stored.step for stored in steps)
        return await compare_log(ComparisonJob(table.system, table.match, self._matches.secret(table), log))

    async def _go_on(self, live: LiveTable, same_head: bytes = b"") -> None:
        """Let a match go on under this code; `same_head`: see MatchLifecycle.open_under_other_code."""
        await self._until_stored(lambda: self._matches.open_under_other_code(live, same_head))
        live.unpark()
        self._matches.run(live)
        self._hosted(live)
        live.views.show_anew()
        live.look_anew()

    async def _until_stored(self, work: Callable[[], Awaitable[Done]]) -> Done:
        log = self._services.log
        return await until_stored(work, self._services.clock, lambda problem: log.error("store", problem=str(problem)))
