"""The lobby: all tables of this process, the people who are connected, and the life of tables around a match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

from msgspec.structs import replace
from websockets.frames import CloseCode

from engine.core.rules.system import ScenarioInfo
from protocol.ids import TableId, match_of, table_of
from protocol.scene.nodes import Result
from protocol.wire import from_client as said
from server.lobby.dates import TableDates
from server.lobby.finding.lookers import Lookers
from server.lobby.lobby_tables import LobbyTables
from server.lobby.matches.abandoned_matches import AbandonedMatches, may_be_due
from server.lobby.matches.archive import NotArchived
from server.lobby.matches.changed_rules import ChangedRules
from server.lobby.matches.host_claim import Tally
from server.lobby.matches.kept_replays import KeptReplays
from server.lobby.matches.match_lifecycle import MatchLifecycle
from server.lobby.matches.match_news import MatchNewsHandler
from server.lobby.matches.match_results import MatchOutcome, match_result
from server.lobby.matches.played_together import PlayedTogether
from server.lobby.matches.proof_subscriptions import ProofSubscriptions
from server.lobby.matches.sleeping_matches import SleepingMatches
from server.lobby.matches.store_losses import StoreLosses
from server.lobby.notices.notice_watch import NoticeWatch
from server.lobby.onlookers import Onlookers
from server.lobby.order_news import OrderNews
from server.lobby.seat_codes import new_code
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.stored_tables import StoredTables
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_bounds import TableBounds
from server.lobby.table.table_chat import is_chat_due, lists_of
from server.lobby.table.table_record import FINISHED, LIVE, OPEN, TableRecord, finished, with_replay_code
from server.lobby.table.views import may_see
from server.lobby.table_housekeeping import TableHousekeeping
from server.lobby.vacant_tables import VacantTables
from server.match.news import PARKED
from server.match.stored_log import OtherCode
from server.order.audit import AuditEntry
from server.results.result_book import ResultBook
from server.runtime.bounds import Asker
from server.runtime.refusals import Refused
from server.runtime.tasks import ended, stop
from server.store.port import StoreError, StoreUnavailable
from server.store.retry import until_stored

DAY: Final = 24 * 3600
HOUR: Final = 3600
TELL_SECONDS: Final = 0.5
TURN_SECONDS: Final = 0.002
"""For which lists are made before others may run again."""
TURN_LISTS: Final = 25
"""That are made before others may run again: all of them are written at the end of the turn."""
FINISH_SECONDS: Final = 2.0


class _Rest(NamedTuple):
    """A match in which nothing happens until `due` (Unix seconds) once all have gone, while it has this version."""

    due: int
    version: int


class Lobby:
    """The tables and the connected people of one server."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.matches = MatchLifecycle(services, MatchNewsHandler(services, self).handle)
        self._unsealing = AbandonedMatches(services, self.matches, self.save)
        self.proofs = ProofSubscriptions(services)
        self.book = ResultBook(services.store)
        self._stored = StoredTables(services.store, services.log)
        self._directory = services.directory
        self._tables = LobbyTables(services.directory, self._table_of)
        self.losses = StoreLosses(services, self.matches, self._tables, self._stored, self.proofs.go_on)
        self.other_code = ChangedRules(services, self.matches, self.proofs.begin)
        self.housekeeping = TableHousekeeping(services, self)
        self._played = PlayedTogether(services)
        self.replays = KeptReplays(services, self._tables, self._drop_replay)
        self.tally = Tally()
        self._sessions: dict[Session, None] = {}
        self._persons: dict[str, dict[Session, None]] = {}
        self._shown: dict[Session, bytes] = {}
        self.bounds = TableBounds(services.bounds)
        self._vacancies = VacantTables(services, self.is_here, self._remove)
        self.lookers = Lookers(services)
        self.dates = TableDates(services, self)
        self.order_news = OrderNews(services, self)
        self.notices = NoticeWatch(services, self)
        self.onlookers = Onlookers(services, self)
        self._changed = asyncio.Event()
        self._chores: list[asyncio.Task[None]] = []
        self._over: asyncio.Queue[TableId] = asyncio.Queue()
        self._finishing: dict[LiveTable, asyncio.Task[None]] = {}
        self.sleeping = SleepingMatches(services, self._tables.unfinished, self._resume, self._woken, self.losses)
        self._resting: dict[LiveTable, _Rest] = {}
        """As the server began to end."""
        self._is_ending = False

    # Life

    async def open(self) -> None:
        """Read all tables, and when their live matches are due; no match is read before somebody comes or it is due.
        Raises StoreError."""
        async for record in self._stored.each():
            self._add(record)
            if self._stored.is_newer(record.id):
                self._services.log.error("newer-table", table=record.id)
            elif record.state == OPEN:
                self._activity_at(self._tables[record.id])
        await self.notices.open()
        await self.sleeping.open()

    def begin(self) -> None:
        """Begin all that is done in time; the server listens."""
        chores = {
            "matches": self.sleeping.watch,
            "tidy": self.sleeping.tidy,
            "lobby": self._tell_changes,
            "lookers": self.lookers.watch,
            "sweep": self._sweep,
            "vacancies": self._vacancies.watch,
            "dates": self.dates.watch,
            "announcements": self.order_news.watch,
            "notices": self.notices.watch,
            "archive": self._put_away,
            "replays": self.replays.watch,
            "losses": self.losses.watch,
        }
        self._chores = [self._services.tasks.keep(chore, name) for name, chore in chores.items()]

    async def _resume(self, live: LiveTable) -> None:
        """Fold a match and run it; one that cannot go on is parked. Raises StoreUnavailable where it may be read
        later."""
        try:
            await self.matches.open(live)
        except OtherCode:
            self.other_code.found(live)
        except StoreUnavailable:
            raise
        except Exception as problem:
            live.park(PARKED)
            log = self._services.log
            log.error(
                "parked", match=live.record.match, problem=f"{type(problem).__name__}: {problem}", exc_info=problem
            )
        else:
            self.matches.run(live)
            self.proofs.begin(live)

    async def _woken(self, live: LiveTable) -> None:
        """Do what is due at a table whose match has been read."""
        self._activity_at(live)
        if live.why_parked == PARKED:
            await self._unsealing.look(live)

    async def close(self) -> None:
        """Stop all hosts, each when it has done what it was asked, or after some seconds in the middle of it. Those
        that rest are noted, so that the next server reads them when somebody comes."""
        self.stop_bots()
        await stop(self._chores)
        await self.housekeeping.close()
        await self.losses.close()
        await self._played.close()
        await self.other_code.close()
        tables = self._tables.in_memory()
        hosted = {live: live.host for live in tables if live.host is not None}
        busy = [host.finish() for live, host in hosted.items() if live not in self._resting]
        finishing = [*[task for task in busy if task is not None], *self._finishing.values()]
        if finishing:
            await asyncio.wait(finishing, timeout=FINISH_SECONDS)
        await stop(self._finishing.values())
        # one that has done anything meanwhile may have more to do
        resting = {
            live.record.id: rest.due
            for live, rest in self._resting.items()
            if live in hosted and hosted[live].match.version == rest.version
        }
        await ended([task for host in hosted.values() for task in host.stop()])
        await ended([task for live in tables for task in live.past.stop()])
        await self.sleeping.rest(resting)

    def stop_bots(self) -> None:
        """Let no bot decide any more, and note which matches rest."""
        if self._is_ending:
            return
        self._is_ending = True
        for live in self._tables.unfinished.values():
            due = self.sleeping.due_of(live)
            if live.host is not None:
                if due is not None:
                    self._resting[live] = _Rest(due, live.host.match.version)
                live.host.stop_bots()

    def _table_of(self, record: TableRecord) -> LiveTable:
        """Make a table of its record; one that a newer program has written is parked."""
        live = LiveTable(record, self._services, self._listed_anew, self._activity_at)
        if self._stored.is_newer(record.id):
            live.park(PARKED)
        return live

    def _add(self, record: TableRecord) -> None:
        """Add a table that the store has."""
        self._tables.add(record)
        self.bounds.put(record)
        self.tally.put(record)

    async def create(self, record: TableRecord, asker: Asker) -> LiveTable:
        """Open a new table for its owner, who asks. Raises Refused where there are too many, StoreError."""
        self.bounds.open(record, asker)
        try:
            await self._stored.put(record)
        except StoreError:
            self.bounds.remove(record.id)
            raise
        self.changed()
        self._add(record)
        return self._tables[record.id]

    async def _remove(self, live: LiveTable) -> None:
        """Take away a table that has not begun, unless somebody has come meanwhile."""
        record = live.record
        async with live.lock:
            if not self._vacancies.is_vacant(live):
                return
            self._tables.remove(record.id)
            self.bounds.remove(record.id)
            self.dates.gone(live)
            self.notices.gone(record.id)
            self.changed()
            # what cannot be deleted now is swept after the next start
            with suppress(StoreError):
                await self._services.private_words.delete(record.id)
                await self._stored.delete(record)

    def _activity_at(self, live: LiveTable) -> None:
        """Look whether anything has become due at this table."""
        self.housekeeping.wake(live)
        self._vacancies.look(live)
        self.dates.look(live)
        self.notices.look(live)

    async def save(
        self,
        live: LiveTable,
        record: TableRecord,
        asker: Asker | None = None,
        outcome: MatchOutcome | None = None,
        entry: AuditEntry | None = None,
    ) -> None:
        """Make a change durable, then show it. Hold the table's lock. `asker`: who takes a seat by it; `outcome`: of
        the match that it ends, None where that came to none; `entry`: of the audit list, where a moderator makes it. A
        table that is finished already stays as old as it is. Raises StoreError, and Refused where the table has gone
        meanwhile: then nothing has changed."""
        if self._tables.get(record.id) is not live:
            raise Refused("table/unknown")
        fresh = [who for who in record.people if who not in record.sat]
        if record.state == LIVE and fresh:
            record = replace(record, sat=(*record.sat, *fresh))
        if record != live.record:
            was_over = live.record.state == FINISHED
            record = record if was_over else replace(record, changed=self._services.clock.wall())
            if record.state == FINISHED and not was_over:
                record = with_replay_code(record, new_code())
                result = match_result(outcome or MatchOutcome(live.record, live.sides), record)
                await self.book.keep(result, partial(self._stored.put, record))
            elif entry is not None:
                await self._services.order.audit.write_with(entry, partial(self._stored.put, record))
            else:
                await self._stored.put(record)
            live.keep(record)
            self._tables.changed(live)
            self.bounds.put(record, asker)
            self.tally.put(record)
            self.changed()
            if record.state == LIVE and fresh:
                self._played.note(record)
        live.broadcast.tell()
        self._vacancies.look(live)
        self.dates.look(live)
        self.notices.look(live)
        if record.state == LIVE and record.vote is not None:
            # whoever votes or plays no more may have decided it
            self.housekeeping.wake(live)
        if record.state == FINISHED:
            await self._forget_words(record.id)
            self.housekeeping.over(live)
            # in the next turn of the loop: whoever has this stored may still have something to do with the host
            asyncio.get_running_loop().call_soon(live.let_go)

    async def _forget_words(self, id: TableId) -> None:
        """Delete what two people have said to each other at a table; what stays is deleted within the hour."""
        try:
            await self._services.private_words.delete(id)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))

    def finish(self, live: LiveTable, result: Result | None) -> None:
        """Have the replay of a match that is over written, and its table finished, by a task of the lobby. One that has
        been read again meanwhile says once more that it is over."""
        if live in self._finishing or live.record.state == FINISHED:
            return
        live.over()
        outcome = MatchOutcome(live.record, live.sides, result)
        asyncio.get_running_loop().call_soon(live.let_go)
        task = self._finishing[live] = self._services.tasks.begin(self._finish_safely(live, outcome), "finish")
        task.add_done_callback(lambda _: self._finishing.pop(live, None))

    async def _finish_safely(self, live: LiveTable, outcome: MatchOutcome) -> None:
        log = self._services.log.bind(match=live.record.match)
        try:
            work = partial(self._finish, live, outcome)
            await until_stored(work, self._services.clock, lambda problem: log.error("store", problem=str(problem)))
        except Exception as problem:
            log.error("parked", problem=f"{type(problem).__name__}: {problem}", exc_info=problem)
            if live.host is not None:
                live.host.park()
            live.parked()

    async def _finish(self, live: LiveTable, outcome: MatchOutcome) -> None:
        record, dice = await self.matches.finish(live, outcome.result)
        async with live.lock:
            given_up = live.record.given_up or record.given_up
            last = replace(live.record, parked=record.parked, given_up=given_up)
            await self.save(live, finished(last, record.result, record.replay), outcome=outcome._replace(dice=dice))
        self._over.put_nowait(live.record.id)

    async def _put_away(self) -> None:
        """Move the steps of matches that are over out of the store; what does not go now goes after the next start."""
        for match in await self._services.store.matches():
            record = self._directory.record(table_of(match))
            if record is not None and record.replay:
                self._over.put_nowait(record.id)
        while True:
            id = await self._over.get()
            try:
                await self.matches.archive.put_away(self._tables[id])
            except (NotArchived, StoreError, OSError) as problem:
                self._services.log.warning("not-archived", match=match_of(id), problem=str(problem))

    async def _drop_replay(self, live: LiveTable) -> None:
        """Say durably that the replay of a finished match is no longer kept."""
        await self.amend(live, replace(live.record, replay_dropped=True))

    async def amend(self, live: LiveTable, record: TableRecord) -> None:
        """Store a change of a finished table that is no news to anybody: it stays as old as it is. Raises
        StoreError."""
        await self._stored.put(record)
        live.keep(record)
        self._tables.changed(live)

    async def _sweep(self) -> None:
        """Open secrets that no host opens, and delete words of matches that are over and chat of a month ago, every
        hour."""
        while True:
            with suppress(StoreError):
                await self._services.private_words.sweep(self._is_over)
            async for record in self._tables.records():
                if may_be_due(record):
                    await self._unsealing.look(self._tables[record.id])
                if is_chat_due(record, self._services.clock.wall()):
                    await self._drop_chat(self._tables[record.id])
            await self._services.clock.sleep(HOUR)

    async def _drop_chat(self, live: LiveTable) -> None:
        """Delete the chat of a finished table; what the store cannot delete now goes in an hour."""
        async with live.lock:
            with suppress(StoreError):
                for name in lists_of(live.record.id, len(live.record.seats)):
                    await self._services.store.delete_lines(name)
                await self.amend(live, replace(live.record, chat_dropped=True))

    def _is_over(self, id: TableId) -> bool:
        record = self._directory.record(id)
        return record is None or record.state == FINISHED

    # Lists of tables

    def enter(self, session: Session) -> None:
        """Note that this person is connected."""
        self._sessions[session] = None
        self._persons.setdefault(session.who, {})[session] = None
        self.sleeping.want(self.unfinished_of(session.who))

    def leave(self, session: Session) -> None:
        """Note that this connection has gone."""
        self._sessions.pop(session, None)
        self._shown.pop(session, None)
        self.lookers.leave(session)
        person = self._persons.get(session.who, {})
        person.pop(session, None)
        if not person:
            self._persons.pop(session.who, None)
        if session.table is not None:
            session.table.detach(session)
        if session.who not in self._persons:
            for live in self.unfinished_of(session.who):
                self._vacancies.look(live)

    def end_all(self, sessions: Iterable[Session], why: Refused) -> None:
        """End these connections of a person, who is told why."""
        for session in sessions:
            self.leave(session)
            session.end(why.problem(fatal=True), CloseCode.NORMAL_CLOSURE)

    def unfinished_of(self, who: str) -> list[LiveTable]:
        """Return the tables that are not finished at which this person has a seat."""
        unfinished = self._tables.unfinished
        return [unfinished[id] for id in self._directory.tables_of(who) if id in unfinished]

    def is_here(self, who: str) -> bool:
        """Return True while this person is connected."""
        return who in self._persons

    async def seated(self) -> set[str]:
        """Return all who have a seat at any table, or had one in its match, or for whom one is kept; others run
        meanwhile."""
        found: set[str] = set()
        async for record in self._tables.records():
            found.update(record.people, record.sat, record.kept_for)
        return found

    def holder(self, who: str) -> Session | None:
        """Return a connection of this person, None where there is none."""
        return next(iter(self._persons.get(who, ())), None)

    def connections(self, who: str) -> Sequence[Session]:
        """Return all connections of this person."""
        return list(self._persons.get(who, ()))

    def show(self, session: Session) -> None:
        """Send the list of tables."""
        self._tell(session, self._told(session))

    def _tell(self, session: Session, told: bytes) -> None:
        self._shown[session] = told
        session.offer(told)

    def _told(self, session: Session) -> bytes:
        since = self._services.clock.wall() - self._services.limits.shown_days * DAY
        return self._directory.listed(session.who, since)

    async def _tell_changes(self) -> None:
        """Send changed lists to all who look at them, no more often than they can be read, some people at a time."""
        while True:
            await self._changed.wait()
            await self._services.clock.sleep(TELL_SECONDS)
            self._changed.clear()
            began, made = perf_counter(), 0
            for session in list(self._sessions):
                if made >= TURN_LISTS or perf_counter() - began > TURN_SECONDS:
                    # what changes meanwhile is told in the next round
                    await asyncio.sleep(0)
                    began, made = perf_counter(), 0
                if session in self._sessions and session.sees_lobby and session not in self.lookers:
                    self._tell_anew(session)
                    made += 1

    def _tell_anew(self, session: Session) -> None:
        """Send the list to one who has another."""
        told = self._told(session)
        if told == self._shown.get(session):
            return
        if session.conversation.is_clear:
            self._tell(session, told)
        else:
            # the newest list when it has read what it was told before: slow readers gather no old ones
            self._changed.set()

    def changed(self) -> None:
        """Show the lists anew soon, to all who look at the lobby."""
        self._changed.set()
        self.lookers.changed()

    def _listed_anew(self, live: LiveTable) -> None:
        """Show the lists anew: a match waits for other seats, or somebody has left a table for the lobby."""
        self._directory.wait_for(live.record.id, live.waiting)
        self.notices.look(live)
        self.changed()

    # Finding

    def sessions(self) -> Sequence[Session]:
        """Return all connections."""
        return list(self._sessions)

    def tables(self) -> Sequence[LiveTable]:
        """Return all tables, those that are over made of their records."""
        return list(self._tables.each())

    def records(self) -> AsyncIterator[TableRecord]:
        """Yield the record of each table; others run meanwhile."""
        return self._tables.records()

    def in_memory(self) -> Sequence[LiveTable]:
        """Return the tables in memory: all that are not finished, and those of the others that somebody looks at."""
        return self._tables.in_memory()

    @property
    def finished(self) -> int:
        """Number of finished tables."""
        return self._tables.finished

    def by_id(self, session: Session, id: TableId) -> LiveTable:
        """Return a table that this person may see. Raises Refused."""
        live = self._tables.get(id)
        if live is None or not may_see(live.record, session.who):
            raise Refused("table/unknown")
        return live

    def find(self, id: TableId) -> LiveTable | None:
        """Return any table, None where there is none (any more)."""
        return self._tables.get(id)

    def table(self, id: TableId) -> LiveTable:
        """Return any table. Raises Refused."""
        live = self.find(id)
        if live is None:
            raise Refused("table/unknown")
        return live

    def by_code(self, code: str) -> LiveTable:
        """Return the table of an invite code. Raises Refused."""
        found = self._directory.by_code(code.strip().upper())
        if found is None:
            raise Refused("table/unknown-code")
        return self._tables[found]

    def mine(self, session: Session) -> LiveTable:
        """Return the table that this connection is at. Raises Refused."""
        if session.table is None:
            raise Refused("table/none")
        return session.table

    def scenario(self, system: str, scenario: str) -> ScenarioInfo:
        """Return a scenario that is installed. Raises Refused."""
        installed = self._services.systems.get(system)
        if installed is None:
            raise Refused("table/unknown-system")
        if scenario not in installed.scenarios:
            raise Refused("table/unknown-scenario")
        return installed.scenarios[scenario]

    async def prepare(self, who: str, id: TableId) -> None:
        """Read the match of a table to which this person is about to come back, where they have a seat at it. Raises
        StoreError."""
        live = self._tables.get(id)
        if live is not None and who in live.record.people:
            await self.sleeping.wake(live)

    async def read(self, session: Session, live: LiveTable) -> None:
        """Read the match of a table to which this connection comes, where it is not in memory. Raises Refused where
        those who have no seat have had too many read, StoreError where it cannot be read now."""
        if live.is_asleep and session.who not in live.record.people:
            self._services.bounds.spend("folds", session.asker)
        await self.sleeping.wake(live)
        await self._fold(session, live)

    async def go_to(self, session: Session, live: LiveTable, resume: said.Resume | None = None) -> None:
        """Let this connection look at that table from now on, unless it has ended meanwhile. Raises what `read`
        raises."""
        await self.read(session, live)
        await self.onlookers.player_came(session, live)
        if session not in self._sessions:
            return
        # the only one at a finished match would let go of what has been folded
        if session.table is not None and (session.table is not live or live.record.state != FINISHED):
            session.table.detach(session)
        live.attach(session, resume)

    async def _fold(self, session: Session, live: LiveTable) -> None:
        """Fold a finished match that has no host, once for all who come meanwhile."""
        if live.record.state != FINISHED or live.host is not None or live.is_parked or live.record.replay_dropped:
            return
        self._services.bounds.spend("folds", session.asker)
        async with live.lock:
            if live.host is None and not live.is_parked and not live.record.replay_dropped:
                await self._resume(live)
