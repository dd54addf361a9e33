"""The lobby: all tables, and what people do with them before and around a match."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from engine.core.causes import TableEvent
from engine.core.system import ScenarioInfo
from protocol.buckets import TokenBucket
from protocol.from_server import Lobby as LobbyMessage
from protocol.from_server import TableRow
from protocol.limits import Bucket
from protocol.scene import Result
from server import tables
from server.live import LiveTable
from server.names import clean_name
from server.refusals import Refused
from server.starting import Matches
from server.tables import FINISHED, LIVE, OPEN, SeatRecord, TableRecord
from server.views import may_see, table_row

if TYPE_CHECKING:
    from protocol import from_client as said
    from server.services import Services
    from server.sessions import Session

TABLES: Final = "table"
ROWS: Final = 100
DAY: Final = 24 * 3600
HOUR: Final = 3600
TELL_SECONDS: Final = 0.5
CODE_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
CODE_LENGTH: Final = 10
CODE_TRIES: Final = Bucket(5 / 60, 5)
TABLE_NAME: Final = 40


class Lobby:
    """Tables by id and by invite code. A command that raises Refused has changed nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.matches = Matches(services)
        self._tables: dict[str, LiveTable] = {}
        self._codes: dict[str, str] = {}
        self._tries: dict[str, TokenBucket] = {}
        self._sessions: dict[Session, None] = {}
        self._changed = asyncio.Event()
        self._chores: list[asyncio.Task[None]] = []

    # Life

    async def open(self) -> None:
        """Read all tables and resume every live match; one that cannot go on is parked, the others are not."""
        for data in (await self._services.store.records(TABLES)).values():
            live = self._add(msgspec.msgpack.decode(data, type=TableRecord))
            if live.record.state == LIVE:
                await self._resume(live)
        self._chores = [asyncio.create_task(self._tell_changes()), asyncio.create_task(self._sweep())]

    async def _resume(self, live: LiveTable) -> None:
        try:
            await self.matches.open(live)
        except Exception as problem:
            live.is_parked = True
            log = self._services.log
            log.error("parked", match=live.record.id, problem=f"{type(problem).__name__}: {problem}", exc_info=problem)
        else:
            self.matches.run(live)

    async def close(self) -> None:
        """Stop all hosts."""
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        for live in self._tables.values():
            if live.host is not None:
                await live.host.stop()

    def _add(self, record: TableRecord) -> LiveTable:
        live = LiveTable(record, self._services, self._finish, self._changed.set)
        self._tables[record.id] = live
        self._codes[record.code] = record.id
        return live

    async def _save(self, live: LiveTable, record: TableRecord) -> None:
        if record != live.record:
            record = replace(record, changed=self._services.clock.wall())
            await self._services.store.put_record(TABLES, record.id, msgspec.msgpack.encode(record))
            live.record = record
            self._changed.set()
        live.tell()

    async def _finish(self, live: LiveTable, result: Result) -> None:
        record = await self.matches.finish(live, result)
        async with live.lock:
            await self._save(live, replace(live.record, state=FINISHED, result=record.result, replay=record.replay))

    async def _sweep(self) -> None:
        """Every hour, remove tables that have stood open and empty for a day."""
        while True:
            await self._services.clock.sleep(HOUR)
            old = self._services.clock.wall() - DAY
            for live in list(self._tables.values()):
                if live.record.state == OPEN and not live.sessions and live.record.changed <= old:
                    await self._services.store.delete_record(TABLES, live.record.id)
                    del self._tables[live.record.id], self._codes[live.record.code]
                    self._changed.set()

    # Telling

    def enter(self, session: Session) -> None:
        """This person is here now."""
        self._sessions[session] = None

    def leave(self, session: Session) -> None:
        """And gone."""
        self._sessions.pop(session, None)
        if session.table is not None:
            session.table.detach(session)

    def holder(self, who: str) -> Session | None:
        """The connection of this person."""
        return next((session for session in self._sessions if session.who == who), None)

    def show(self, session: Session) -> None:
        """Send the list of tables."""
        session.say(LobbyMessage(tuple(self._rows(session.who))))

    def _rows(self, who: str) -> Sequence[TableRow]:
        seen = [live for live in self._tables.values() if may_see(live.record, who)]
        rows = [table_row(live.record, who, live.scenario, live.waiting) for live in seen]
        order = {LIVE: 0, OPEN: 1, FINISHED: 2}
        rows.sort(key=lambda row: (not row.turn, not row.mine, order[row.state], -row.when, row.id))
        return rows[:ROWS]

    async def _tell_changes(self) -> None:
        """The lists of all who look on, not more often than they can be read."""
        while True:
            await self._changed.wait()
            await self._services.clock.sleep(TELL_SECONDS)
            self._changed.clear()
            for session in list(self._sessions):
                self.show(session)

    # Finding

    def by_id(self, session: Session, id: str) -> LiveTable:
        """A table that this person may see. Raises Refused."""
        live = self._tables.get(id)
        if live is None or not may_see(live.record, session.who):
            raise Refused("table/unknown")
        return live

    def by_code(self, session: Session, code: str) -> LiveTable:
        """The table of an invite code. Guessing is slow: five tries, then one every twelve seconds."""
        now = self._services.clock.now()
        tries = self._tries.setdefault(session.who, TokenBucket(CODE_TRIES, now))
        if not tries.take(now):
            raise Refused("table/code-tries")
        found = self._codes.get(code.strip().upper())
        if found is None:
            raise Refused("table/unknown-code")
        return self._tables[found]

    def mine(self, session: Session) -> LiveTable:
        """The table one is at. Raises Refused."""
        if session.table is None:
            raise Refused("table/none")
        return session.table

    def _scenario(self, system: str, scenario: str) -> ScenarioInfo:
        installed = self._services.systems.get(system)
        if installed is None:
            raise Refused("table/unknown-system")
        if scenario not in installed.scenarios:
            raise Refused("table/unknown-scenario")
        return installed.scenarios[scenario]

    async def _go_to(self, session: Session, live: LiveTable, resume: said.Resume | None = None) -> None:
        if session.table is not None:
            session.table.detach(session)
        if live.record.state == FINISHED and live.host is None and not live.is_parked:
            await self._resume(live)
        live.attach(session, resume)

    # Commands

    async def create(self, session: Session, asked: said.CreateTable) -> None:
        scenario = self._scenario(asked.system, asked.scenario)
        owned = sum(live.record.owner == session.who for live in self._tables.values() if live.record.state != FINISHED)
        if owned >= self._services.limits.tables_per_account:
            raise Refused("table/too-many-tables")
        now = self._services.clock.wall()
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        seats = (SeatRecord(session.who, session.name), *[SeatRecord()] * (scenario.seats - 1))
        record = TableRecord(
            secrets.token_hex(6),
            code,
            clean_name(asked.name, TABLE_NAME, "Table"),
            asked.system,
            asked.scenario,
            session.who,
            seats,
            now,
            now,
            asked.private,
        )
        await self._services.store.put_record(TABLES, record.id, msgspec.msgpack.encode(record))
        await self._go_to(session, self._add(record))
        self._changed.set()

    async def join(self, session: Session, asked: said.JoinTable) -> None:
        if asked.code is None and asked.table is None:
            raise Refused("table/which")
        live = self.by_code(session, asked.code) if asked.code else self.by_id(session, asked.table or "")
        async with live.lock:
            if not asked.code and live.record.private and session.who not in live.record.people:
                raise Refused("table/private")
            joined = tables.join(live.record, session.who, session.name, self._services.limits.name_length)
            await self._save(live, tables.pass_ownership(joined))
        await self._go_to(session, live)

    async def open_again(self, session: Session, id: str, resume: said.Resume | None = None) -> None:
        live = self.by_id(session, id)
        if session.who not in live.record.people:
            self._check_watcher(live)
        await self._go_to(session, live, resume)

    async def watch(self, session: Session, asked: said.WatchTable) -> None:
        if asked.code is None and asked.table is None:
            raise Refused("table/which")
        live = self.by_code(session, asked.code) if asked.code else self.by_id(session, asked.table or "")
        if session.who in live.record.banned:
            raise Refused("table/removed")
        self._check_watcher(live)
        if asked.code and live.record.private and session.who not in live.record.admitted:
            async with live.lock:
                await self._save(live, replace(live.record, admitted=(*live.record.admitted, session.who)))
        await self._go_to(session, live)

    def _check_watcher(self, live: LiveTable) -> None:
        watching = sum(live.seat_of(other) is None for other in live.sessions)
        if watching >= self._services.limits.spectators:
            raise Refused("table/watchers-full")

    async def give_up(self, session: Session) -> None:
        live = self.mine(session)
        seat = live.seat_of(session)
        if seat is not None and live.record.state != FINISHED:
            async with live.lock:
                substitute = self.matches.substitute(live.record)
                await self._save(live, tables.leave(live.record, session.who, substitute, secrets.randbits(32)))
            self._seats_changed(live, seat)
        live.dismiss(session, "left")

    def _seats_changed(self, live: LiveTable, seat: int) -> None:
        if live.record.state == LIVE:
            self.matches.seat_bot(live, seat)
            if live.host is not None:
                live.host.note(TableEvent("bot", seat))
        live.reseat()

    async def choose_faction(self, session: Session, asked: said.ChooseFaction) -> None:
        live = self.mine(session)
        async with live.lock:
            scenario = self._scenario(live.record.system, live.record.scenario)
            chosen = tables.choose_faction(live.record, session.who, asked.seat, asked.faction, scenario)
            await self._save(live, chosen)

    async def set_ready(self, session: Session, asked: said.SetReady) -> None:
        live = self.mine(session)
        async with live.lock:
            await self._save(live, tables.set_ready(live.record, session.who, asked.ready))

    async def add_bot(self, session: Session, asked: said.AddBot) -> None:
        live = self.mine(session)
        async with live.lock:
            kinds = self._services.systems[live.record.system].bot_kinds()
            length = self._services.limits.name_length
            seed = secrets.randbits(32)
            with_bot = tables.add_bot(live.record, session.who, asked.seat, asked.kind, kinds, seed, length)
            await self._save(live, with_bot)

    async def remove_seat(self, session: Session, asked: said.RemoveSeat) -> None:
        live = self.mine(session)
        async with live.lock:
            substitute = self.matches.substitute(live.record)
            seed = secrets.randbits(32)
            after = tables.remove_seat(live.record, session.who, asked.seat, substitute, seed)
            gone = live.record.seats[asked.seat].who
            await self._save(live, after)
        for other in [s for s in live.sessions if s.who == gone]:
            live.dismiss(other, "removed")
        self._seats_changed(live, asked.seat)

    async def remove_watcher(self, session: Session, asked: said.RemoveWatcher) -> None:
        live = self.mine(session)
        if asked.who in live.record.people:
            raise Refused("table/not-a-watcher")
        async with live.lock:
            await self._save(live, tables.remove_watcher(live.record, session.who, asked.who))
        for other in [s for s in live.sessions if s.who == asked.who]:
            live.dismiss(other, "removed")

    async def change(self, session: Session, asked: said.ChangeTable) -> None:
        live = self.mine(session)
        async with live.lock:
            record = live.record
            tables.must_own(record, session.who)
            tables.must_be_open(record)
            if asked.scenario is not None:
                record = tables.change_scenario(record, self._scenario(record.system, asked.scenario))
            plain = asked.model_dump(exclude={"t", "scenario", "name"}, exclude_none=True)
            if asked.name is not None:
                plain["name"] = clean_name(asked.name, TABLE_NAME, record.name)
            await self._save(live, replace(record, **plain))

    async def start(self, session: Session) -> None:
        live = self.mine(session)
        async with live.lock:
            before = live.record
            tables.check_start(before, session.who)
            self.matches.resolve(before)
            # the secret is durable, sealed, before the first event that commits to it
            await self._save(live, replace(before, state=LIVE, sealed=self.matches.sealed_secret(before)))
            try:
                await self.matches.open(live)
            except Exception as bug:
                live.record = before
                await self._services.store.put_record(TABLES, before.id, msgspec.msgpack.encode(before))
                error = secrets.token_hex(4)
                self._services.log.error("rules", error=error, problem=str(bug), exc_info=bug)
                raise Refused("table/start-fault", error=error) from bug
        for other in list(live.sessions):
            live.attach(other)
        self.matches.run(live)
