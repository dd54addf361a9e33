"""The commands of people at and around tables. One that raises Refused or StoreError has changed nothing."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from engine.core.match.causes import TableEvent
from engine.core.rules.audience import Seat
from engine.core.rules.sides import allies_of
from protocol.ids import NO_TABLE, TableId
from protocol.wire import from_client as said
from protocol.wire.from_server import SeatCode
from server.lobby import army_lists
from server.lobby.lessons import with_lesson
from server.lobby.lobby import Lobby
from server.lobby.new_tables import new_table
from server.lobby.removals import Removals, seat_given_up
from server.lobby.seat_codes import SeatCodes, new_code
from server.lobby.seat_terms import check_named, check_player
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.table import admission, agreement, ranked, seat_changes, table_dates, table_record
from server.lobby.table.live_table import LiveTable
from server.lobby.table.spectator_roles import all_agree
from server.lobby.table.table_names import name_to_keep
from server.lobby.table.table_record import FINISHED, LIVE, SeatRecord, TableRecord, code_works
from server.lobby.table_passwords import TablePasswords, count_guess
from server.match.bots.bot_factory import new_seed
from server.runtime.refusals import Refused
from server.store.port import StoreError

if TYPE_CHECKING:
    from server.accounts.identities import Identities
    from server.runtime.bounds import Asker


class Commands:
    """Methods, one for each lobby message, called for the session that has sent it. The docstring of the message
    (protocol/wire/from_client.py) says what it does; it raises Refused for what may not be, and StoreError."""

    def __init__(self, services: Services, lobby: Lobby, identities: Identities) -> None:
        self._services = services
        self._lobby = lobby
        self._identities = identities
        self._passwords = TablePasswords(services)
        self._removals = Removals(services, lobby)
        self._seat_codes = SeatCodes(services.store, services.uptime, services.limits.seat_code_seconds)

    async def create(self, session: Session, asked: said.CreateTable) -> None:
        scenario = self._lobby.scenario(asked.system, asked.scenario)
        limits = self._services.limits
        name = name_to_keep(asked.name, session.name, limits.table_name_length)
        record = new_table(
            self._services, session, asked.system, scenario, name, [SeatRecord(session.who, session.name)]
        )
        record = replace(record, private=asked.private)
        if asked.lesson is not None:
            record = with_lesson(record, self._services.systems[asked.system], asked.lesson, limits.name_length)
        live = await self._lobby.create(record, session.asker)
        self._services.metrics.tables_made.add()
        await self._lobby.go_to(session, live)

    async def join(self, session: Session, asked: said.JoinTable) -> None:
        if asked.code is None and asked.table is None:
            raise Refused("table/which")
        live = self._find(session, asked)
        await self.sit_down(session, live, has_code=bool(asked.code), seat=asked.seat, password=asked.password)

    async def sit_down(
        self,
        session: Session,
        live: LiveTable,
        *,
        has_code: bool,
        seat: int | None = None,
        password: str | None = None,
    ) -> None:
        """Take a seat: this one, else one that is kept for them, else any. Raises Refused, StoreError."""
        before = live.record
        if not has_code:
            self._passwords.check(session, before, password)
        await self._lobby.read(session, live)
        async with live.lock:
            if not has_code and (live.record.private, live.record.password) != (before.private, before.password):
                # its owner has closed it meanwhile
                self._passwords.check(session, live.record, None)
            self._check_barred(session, live)
            length = self._services.limits.name_length
            joined = seat_changes.pass_ownership(
                seat_changes.join(live.record, session.who, session.name, length, seat)
            )
            is_new = joined.seat_of(session.who) != live.record.seat_of(session.who)
            if is_new:
                self._lobby.bounds.check_seat(session.asker)
                await check_player(self._identities, self._lobby.book, live.record, session.who)
            await self._lobby.save(live, joined, session.asker)
        if is_new and live.host is not None:
            live.person_plays(joined.seat_of(session.who))
        await self._lobby.go_to(session, live)

    async def new_code(self, session: Session) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            ends = self._services.clock.wall() + self._services.limits.invite_seconds
            await self._lobby.save(live, table_record.new_code_for(live.record, session.who, new_code(), ends))

    def _find(self, session: Session, asked: said.JoinTable | said.WatchTable) -> LiveTable:
        """Return the table of an invite code, or of an id. Raises Refused."""
        if not asked.code:
            return self._lobby.by_id(session, asked.table or NO_TABLE)
        return self.by_code(session, asked.code)

    def by_code(self, session: Session, code: str) -> LiveTable:
        """Return the table of an invite code that works, or at which the person was. Raises Refused."""
        count_guess(self._services, session)
        live = self._lobby.by_code(code)
        if session.who not in live.record.let_in and not code_works(live.record, self._services.clock.wall()):
            raise Refused("table/code-expired")
        return live

    async def open_again(self, session: Session, id: TableId, resume: said.Resume | None = None) -> None:
        live = self._lobby.by_id(session, id)
        self._passwords.check(session, live.record, None)
        if session.who not in live.record.people:
            await self._read_to_watch(session, live)
        await self._lobby.go_to(session, live, resume)

    async def watch(self, session: Session, asked: said.WatchTable) -> None:
        if asked.code is None and asked.table is None:
            raise Refused("table/which")
        await self.look_on(session, self._find(session, asked), has_code=bool(asked.code), password=asked.password)

    async def look_on(self, session: Session, live: LiveTable, *, has_code: bool, password: str | None = None) -> None:
        """Watch a table. Raises Refused, StoreError."""
        if session.who in live.record.shut_out:
            raise Refused("table/removed")
        self._check_watcher(session, live)
        if not has_code:
            self._passwords.check(session, live.record, password)
        known = live.record.admitted if has_code else live.record.let_in
        if live.record.is_guarded and session.who not in known:
            async with live.lock:
                await self._lobby.save(
                    live, admission.admit(live.record, session.who, self._services.limits.remembered)
                )
        await self._read_to_watch(session, live)
        await self._lobby.go_to(session, live)

    async def _read_to_watch(self, session: Session, live: LiveTable) -> None:
        self._check_watcher(session, live)
        await self._lobby.read(session, live)
        # others may have come meanwhile
        self._check_watcher(session, live)

    def _check_watcher(self, session: Session, live: LiveTable) -> None:
        self._check_barred(session, live)
        self._lobby.onlookers.check(session, live)
        if session.table is None or session.table.seat_of(session) is not None:
            self._services.bounds.check("watchers", session.asker)
        if len(live.participants.watchers) >= self._services.limits.spectators:
            raise Refused("table/watchers-full")

    async def look_as(self, session: Session, asked: said.LookAs) -> None:
        live, who = self._lobby.mine(session), session.who
        if asked.sees == "public":
            live.roles.forget(who)
        elif asked.sees == "seat":
            live.roles.ask(live.record, who, -1 if asked.seat is None else asked.seat)
        else:
            async with live.lock:
                live.roles.may_look_delayed(live.record, who)
                await self._lobby.save(live, admission.look_further(live.record, who, self._services.limits.remembered))
            live.roles.look_delayed(who)
        live.look_anew()

    async def consent(self, session: Session, asked: said.Consent) -> None:
        live = self._lobby.mine(session)
        if asked.allow:
            async with live.lock:
                await self._let_look(live, _seat_of(live, session), asked.who)
        else:
            live.roles.refuse(allies_of(live.sides, _seat_of(live, session)), asked.who)
        live.look_anew()

    async def _let_look(self, live: LiveTable, seat: Seat, who: str) -> None:
        """Say yes for a seat to the wish of a spectator, and grant it where their side has agreed."""
        before, side = live.record, allies_of(live.sides, seat)
        wished = live.roles.wished(before, side, who)
        if not live.roles.agree(before, side, seat, who):
            return
        remembered = self._services.limits.remembered
        await self._lobby.save(live, admission.look_further(before, who, remembered))
        try:
            live.roles.grant(live.record, side, wished, who)
        except Refused:
            # they have not looked
            await self._lobby.save(live, before)
            raise

    async def give_up(self, session: Session) -> None:
        live = self._lobby.mine(session)
        seat = live.seat_of(session)
        if seat is not None and live.record.state != FINISHED and not live.is_over:
            async with live.lock:
                substitute = self._lobby.matches.substitute(live.record)
                await self._lobby.save(live, seat_changes.leave(live.record, session.who, substitute, new_seed()))
            seat_given_up(self._lobby, live, seat)
        live.roles.forget(session.who)
        live.dismiss(session, "left")

    async def concede(self, session: Session, asked: said.Concede) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            record = live.record
            seat = record.seat_of(session.who)
            if record.state != LIVE or record.ending or live.is_over:
                raise Refused("vote/no-match")
            if seat < 0:
                raise Refused("match/no-seat")
            left = seat_changes.leave(record, session.who, self._lobby.matches.substitute(record), new_seed())
            host = live.host
            leaves = asked.figures and host is not None and host.match.leaving(Seat(seat)) is not None
            left = left.with_seat(seat, replace(left.seats[seat], leaving=leaves))
            if session.who not in left.admitted:
                left = admission.admit(left, session.who, self._services.limits.remembered)
            await self._lobby.save(live, left)
        if live.host is not None:
            live.host.note(TableEvent("conceded", seat))
            if leaves:
                live.host.remove_figures(Seat(seat))
        seat_given_up(self._lobby, live, seat)
        live.broadcast.tell()

    async def pace_bots(self, session: Session, asked: said.BotPace) -> None:
        live = self._lobby.mine(session)
        if live.record.state != LIVE:
            raise Refused("vote/no-match")
        _seat_of(live, session)
        if asked.pace is None:
            live.bots.pace.hurry()
        else:
            live.bots.wish(session.who, asked.pace)
            live.broadcast.tell()
        live.acted(session)

    async def seat_code(self, session: Session) -> None:
        live = self._lobby.mine(session)
        if live.seat_of(session) is None:
            raise Refused("seat-code/no-seat")
        code = await self._seat_codes.make(session.who, live.record.id)
        session.say(SeatCode(live.record.id, code, self._services.limits.seat_code_seconds))

    async def use_seat_code(self, session: Session, asked: said.UseSeatCode) -> None:
        """Pass the seat, not the account: whoever sees the code over a shoulder gets one seat at one table."""
        if not self._services.bounds.guess("seat-code", session.who, session.address):
            raise Refused("seat-code/tries")
        passed = await self._seat_codes.find(asked.code)
        live = self._lobby.table(passed.table)
        await self._lobby.sleeping.wake(live)
        async with live.lock:
            record = live.record
            self._check_barred(session, live)
            seat = record.seat_of(passed.account)
            moved = seat_changes.move_seat(record, passed.account, session.who, session.name)
            ranked.check_hands(record)
            self._lobby.bounds.check_seat(session.asker)
            await check_player(self._identities, self._lobby.book, record, session.who)
            # last, so that one that was refused is good still
            await self._seat_codes.use(asked.code)
            await self._lobby.save(live, moved, session.asker)
        for older in self._lobby.connections(passed.account):
            if older.table is live:
                self._lobby.leave(older)
                older.end(Refused("session/moved").problem(fatal=True))
        if live.host is not None:
            live.host.note(TableEvent("moved", seat))
        await self._lobby.go_to(session, live)

    async def choose_faction(self, session: Session, asked: said.ChooseFaction) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            scenario = self._lobby.scenario(live.record.system, live.record.scenario)
            chosen = agreement.choose_faction(live.record, session.who, asked.seat, asked.faction, scenario)
            await self._lobby.save(live, chosen)

    async def set_ready(self, session: Session, asked: said.SetReady) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            await self._lobby.save(
                live,
                agreement.set_ready(live.record, session.who, ready=asked.ready, delayed_view=asked.delayed_view),
            )

    async def add_bot(self, session: Session, asked: said.AddBot) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            ranked.check_no_bot(live.record)
            kinds = self._services.systems[live.record.system].bot_kinds()
            length = self._services.limits.name_length
            seed = new_seed()
            with_bot = seat_changes.add_bot(live.record, session.who, asked.seat, asked.kind, kinds, seed, length)
            await self._lobby.save(live, with_bot)

    async def remove_seat(self, session: Session, asked: said.RemoveSeat) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            ranked.check_hands(live.record)
            substitute = self._lobby.matches.substitute(live.record)
            seed = new_seed()
            after = seat_changes.remove_seat(live.record, session.who, asked.seat, substitute, seed)
            gone = live.record.seats[asked.seat].who
            await self._lobby.save(live, self._removals.without(live, after, gone) if gone else after)
        self._removals.dismiss(live, gone, "removed")
        seat_given_up(self._lobby, live, asked.seat)

    async def remove_watcher(self, session: Session, asked: said.RemoveWatcher) -> None:
        live = self._lobby.mine(session)
        if asked.who in live.record.people:
            raise Refused("table/not-a-watcher")
        async with live.lock:
            after = admission.remove_watcher(live.record, session.who, asked.who)
            await self._lobby.save(live, self._removals.without(live, after, asked.who))
        live.roles.forget(asked.who)
        self._removals.dismiss(live, asked.who, "removed")

    def _check_barred(self, session: Session, live: LiveTable) -> None:
        marks = self._services.address_marks.all_of(session.address, live.record.id)
        admission.check_barred(live.record, session.who, marks)

    async def change(self, session: Session, asked: said.ChangeTable) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            record = live.record
            table_record.must_own(record, session.who)
            table_record.must_be_open(record)
            if asked.scenario is not None:
                record = agreement.change_scenario(record, self._lobby.scenario(record.system, asked.scenario))
            options = self._services.systems[record.system].options_of(record.scenario)
            record = agreement.change_options(record, options, asked.options or {})
            apart = ("scenario", "options")
            plain = {name: value for name, value in asdict(asked).items() if value is not None and name not in apart}
            if asked.name is not None:
                length = self._services.limits.table_name_length
                plain["name"] = name_to_keep(asked.name, session.name, length, record.name)
            begins = plain.pop("begins", record.begins)
            if asked.password is not None:
                plain["password"] = self._passwords.sealed(asked.password)
            record = ranked.changed(live.record, replace(record, **plain))
            if record.ranked and not live.record.ranked:
                await check_named(self._identities, record, *record.people)
            record = table_dates.set_date(record, session.who, begins, self._services.clock.wall())
            await self._lobby.save(live, agreement.agreed_anew(live.record, record))

    async def start(self, session: Session) -> None:
        await self.begin(self._lobby.mine(session), session.asker)

    async def begin(self, live: LiveTable, asker: Asker) -> None:
        """Start the match of a table for its owner, who need not be there. Raises Refused, StoreError: then nothing has
        changed."""
        async with live.lock:
            before = live.record
            agreement.check_start(before, asker.person)
            await check_named(self._identities, before, *before.people)
            table_dates.check_open(before, self._services.clock.wall())
            scenario = self._lobby.scenario(before.system, before.scenario)
            agreement.check_lists(before, scenario)
            installed = self._services.systems[before.system]
            dealt = army_lists.with_lists_of_bots(installed, agreement.deal_factions(before, scenario), scenario)
            self._lobby.matches.resolve(dealt)
            self._lobby.bounds.start(before.id, asker)
            try:
                # the secret is durable, sealed, before the first event that commits to it
                sealed = self._lobby.matches.sealed_secret(dealt)
                begun = replace(dealt, state=LIVE, begins=0, sealed=sealed, delayed_view=all_agree(dealt))
                begun = self._lobby.onlookers.noted(live, begun)
                await self._lobby.save(live, replace(begun, line_up=tuple(seat.who for seat in begun.seats)))
            except StoreError:
                self._lobby.bounds.not_started(before.id)
                raise
            try:
                await self._lobby.matches.open(live)
            except Exception as bug:
                await self._take_back(live, before)
                error = secrets.token_hex(4)
                self._services.log.error("start", error=error, problem=str(bug), exc_info=bug)
                raise Refused("table/start-fault", error=error) from bug
        self._lobby.onlookers.send_away(live)
        for other in list(live.sessions):
            live.attach(other)
        self._lobby.matches.run(live)
        if self._services.store.may_lose:
            live.broadcast.say(Refused("match/may-lose").problem())

    async def _take_back(self, live: LiveTable, before: TableRecord) -> None:
        """Open the table again as before; where the store fails just now, it will be open after the next start."""
        live.host = None
        self._lobby.bounds.not_started(before.id)
        try:
            await self._services.store.delete_match(before.match)
            await self._lobby.save(live, before)
        except StoreError:
            live.keep(before)
            live.broadcast.tell()


def _seat_of(live: LiveTable, session: Session) -> Seat:
    """Return the seat of a player. Raises Refused."""
    seat = live.seat_of(session)
    if seat is None:
        raise Refused("match/no-seat")
    return seat
