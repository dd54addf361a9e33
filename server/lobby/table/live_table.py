"""A table with the people at it now, and the host of its match once it is live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Final

from engine.core.match.causes import TableEvent
from engine.core.rules.audience import Seat
from engine.core.rules.sides import ALONE, Sides
from engine.core.rules.system import ScenarioInfo
from protocol.fairness.entropy_record import PERSON
from protocol.text import Text
from protocol.wire.codec import encode
from protocol.wire.from_client import Resume
from protocol.wire.from_server import Left
from server.content.systems import scenario_in
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.table.attendance import Trips, grace_of, owner_grace_of, voters_of
from server.lobby.table.bot_wishes import BotWishes
from server.lobby.table.diplomacy import Diplomacy
from server.lobby.table.entropy_programs import EntropyPrograms, holder_of
from server.lobby.table.match_views import MatchViews
from server.lobby.table.participants import Participants
from server.lobby.table.seat_activity import SeatActivity
from server.lobby.table.seat_asks import SeatAsks
from server.lobby.table.spectator_roles import SpectatorRoles
from server.lobby.table.table_broadcast import TableBroadcast
from server.lobby.table.table_past import TablePast
from server.lobby.table.table_record import FINISHED, LIVE, TableRecord
from server.match.host import MatchHost
from server.match.news import PARKED, ClocksChanged, TableState
from server.match.spectator_queue import SpectatorGate
from server.runtime.refusals import Refused


class LiveTable:
    """A table of the lobby. Its record changes by `keep` alone, under `lock`, and only after the store has it."""

    def __init__(
        self,
        record: TableRecord,
        services: Services,
        on_change: Callable[[LiveTable], None],
        on_activity: Callable[[LiveTable], None],
    ) -> None:
        self.record = record
        self.lock = asyncio.Lock()
        self.host: MatchHost | None = None
        self.why_parked = ""
        """The code of the reason why the match does not go on, empty where it does."""
        self.has_given_up = False
        """Since this server was started."""
        self.is_over = False
        """Nothing more is played; the replay is being written, or has been."""
        self._waited: tuple[int, ...] = ()
        """As the lobby was last told."""
        self._services = services
        self._holders, self._people = self._held_now()
        self.bots = BotWishes(lambda: self.record, services.clock, services.bot_pause)
        self.people = services.people
        self.participants = Participants(record)
        self.seat_of: Final = self.participants.seat_of
        self.programs = EntropyPrograms(self)
        self.roles = SpectatorRoles()
        self.seat_asks = SeatAsks()
        self.gate = SpectatorGate(services.tasks)
        self.views = MatchViews(self, services)
        self.broadcast = TableBroadcast(self, services)
        self.diplomacy = Diplomacy(self, services)
        self.past = TablePast(self, services)
        self._on_change = on_change
        self._on_activity = on_activity
        self.activity = SeatActivity(services.clock.now())
        self._trips = Trips()

    @property
    def scenario(self) -> ScenarioInfo | None:
        """Scenario of the table, None where it is not installed (any more)."""
        return scenario_in(self._services.systems, self.record.system, self.record.scenario)

    @property
    def sides(self) -> Sides:
        """Side of each seat: that of the match, once it has begun; empty where each stands alone."""
        if self.host is not None:
            return self.host.match.record.sides
        return self.scenario.sides if self.scenario is not None else ALONE

    @property
    def is_parked(self) -> bool:
        """True where the match does not go on, or (when it is over) cannot be shown."""
        return bool(self.why_parked)

    @property
    def is_asleep(self) -> bool:
        """True where the match is on and not in memory: it is read when somebody comes, or when it is due."""
        return self.record.state == LIVE and self.host is None and not self.is_parked

    @property
    def cannot_go_on(self) -> bool:
        """True where the match is on, and parked: one that has been ended since is not."""
        return self.is_parked and self.record.state != FINISHED

    @property
    def is_deserted(self) -> bool:
        """True where the match rests because bots hold all seats, some for people who are away, and nobody watches."""
        if self._services.bots_alone or self.record.state != LIVE or self.sessions:
            return False
        return all(seat.bot for seat in self.record.seats)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that the match waits for; of one that is asleep, those that it waited for when it was last in
        memory."""
        if self.is_asleep:
            return self._waited
        return self.host.deadlines.waiting if self.host is not None and not self.is_parked else ()

    @property
    def sessions(self) -> Collection[Session]:
        """All connections at the table."""
        return self.participants.all

    def keep(self, record: TableRecord) -> None:
        """Take this as the record of the table."""
        for number, (before, after) in enumerate(zip(self.record.seats, record.seats, strict=False)):
            if before.who != after.who:
                self.activity.begin_anew(number)
        self.record = record
        self._holders, self._people = self._held_now()
        self.participants.seated_by(record)
        self.bots.changed()
        self.send_state()

    def _held_now(self) -> tuple[tuple[str, ...], tuple[bytes, ...]]:
        """Return by seat who holds it, and the id of its person in the match."""
        holders = tuple(map(holder_of, self.record.seats))
        held = zip(holders, self.record.seats, strict=True)
        id_of, match = self._services.match_people.id_of, self.record.match
        return holders, tuple(id_of(match, seat.who) if holder == PERSON else b"" for holder, seat in held)

    # People come and go

    def attach(self, session: Session, resume: Resume | None = None) -> None:
        """Show the table to this connection from now on."""
        self.participants.add(session)
        session.table = self
        self.send_state()
        if session in self.participants.watchers:
            self._services.bounds.hold("watchers", _watcher(session), *session.asker)
        # one who comes back after a broken link may have been looking at the lobby
        session.has_asked_for_lobby = resume is not None
        self.activity.arrived(session.who)
        session.offer(encode(self.broadcast.view(session)), droppable=True)
        self.broadcast.tell_of(session)
        self.views.show(session, resume)
        self.diplomacy.show(session)
        self.past.tell_chat(session)
        if self.record.replay_dropped:
            session.say(Refused("replay/dropped").problem())
        elif self.is_parked:
            session.say(Refused(self.why_parked if self.cannot_go_on else "match/unshown").problem())
        self.count_present()
        self._on_activity(self)

    def detach(self, session: Session) -> None:
        """Show the table to this connection no more; it looks elsewhere, or is gone. Seats are kept."""
        if not self.participants.remove(session):
            return
        session.table = None
        self._services.bounds.release("watchers", _watcher(session))
        seat = self.seat_of(session)
        if seat is None:
            self.activity.presence.forget(session.who)
        else:
            since = session.silent_since
            self.activity.presence.left(session.who, self._services.clock.now() if since is None else since)
        self.programs.forget(session)
        self.send_state()
        if self.host is not None and seat is not None:
            self.host.lost(seat)
        if self.host is not None:
            self.host.channels.detach(session)
        self.let_go()
        self.count_present()
        self.broadcast.tell_of(session)
        self._on_activity(self)

    def let_go(self) -> None:
        """Forget the host of a match that is over where nobody is connected: it is read again when someone wants to see
        it. Called whenever either has become so. Its replay may be written later: that needs the log alone."""
        if self.host is not None and not self.sessions and (self.is_over or self.record.state == FINISHED):
            self.host.stop()
            self.host = None

    def fall_asleep(self) -> list[asyncio.Task[None]]:
        """Forget the host of a live match at which nobody is and which does nothing. Return the tasks that now end."""
        host, self.host = self.host, None
        return host.stop() if host is not None else []

    def dismiss(self, session: Session, code: str) -> None:
        """Send a connection away, with the reason."""
        self.detach(session)
        self._on_change(self)
        session.say(Left(self.record.id, code, Text(f"left.{code}")))

    def look_anew(self) -> None:
        """Show everyone the table, and what they may see of the match now: seats or roles have changed hands."""
        self.broadcast.tell()
        self.reseat()

    def reseat(self) -> None:
        """Show everyone what their seat may see now: seats have changed hands."""
        self.views.show_changed()
        self.count_present()

    def begin(self, host: MatchHost) -> None:
        """Take the host of the match, which is on."""
        self.host = host
        self._waited = ()
        self._tell_waiting()
        self.send_state()
        self.programs.hand_over()

    def count_present(self) -> None:
        """Run the clocks while a person who plays is connected, or where only bots play and somebody watches; those of
        decisions as the seats are held now."""
        if self.host is not None:
            self.host.set_time(self.record.seconds if self.record.is_clocked else None)
            people, rests = set(self.record.people), bool(self.record.rest) or self.is_deserted
            self.host.hold(on=rests)
            self.host.present(anyone=not rests and (not people or bool(self.participants.players)))

    def acted(self, session: Session) -> None:
        """Note that this person acts: they are there, and not their program alone."""
        if self.activity.idle and self.activity.acted(session.who):
            self._on_activity(self)

    def link_measured(self, session: Session) -> None:
        """Take a newly measured round trip of this connection. It is told now, or with a later measure or step where
        one was told just before."""
        if session in self.participants.players:
            self._trips.measured(session.who, session.trip, self._services.clock.now())
            self._tell_trips()

    def _tell_trips(self) -> None:
        now, due = self._services.clock.now(), self._trips.due
        if due is not None and due <= now:
            self._trips.told(now)
            self.broadcast.tell()

    def person_plays(self, seat: int) -> None:
        """Let a person play this seat in place of a bot."""
        if self.host is not None:
            self.host.unseat_bot(Seat(seat))
            self.host.note(TableEvent("person", seat))

    def show_all(self, session: Session) -> None:
        """Show everything anew to a connection that has lost its way."""
        session.say(self.broadcast.view(session))
        if self.host is not None:
            self.host.channels.show_all(session)

    # Who counts

    @property
    def vote_seconds(self) -> float:
        """The seconds that a vote lasts at this table."""
        return self._services.limits.mail_seconds if self.record.mail else self._services.limits.vote_seconds

    @property
    def grace(self) -> float:
        """Seconds after which one who is away does not count."""
        return grace_of(self.record, self._services.limits)

    @property
    def owner_grace(self) -> float:
        """Seconds after which the table of an owner who is away gets another one."""
        return owner_grace_of(self.record, self._services.limits)

    def voters(self) -> tuple[int, ...]:
        """Return the seats whose votes count in the open vote."""
        limits, now = self._services.limits, self._services.clock.now()
        return voters_of(self.record, self.activity.presence, limits, now, parked=self.is_parked)

    # The match

    def note(self, event: TableEvent) -> None:
        """Put a public fact into the log of a match that goes on."""
        if self.host is not None and not self.is_parked:
            self.host.note(event)

    def send_state(self) -> None:
        """Tell the match how its table is now."""
        if self.host is not None:
            present = frozenset(seat for seat in self.participants.players.values() if self._holders[seat] == PERSON)
            programs, spectators = self.programs, len(self.participants.watchers)
            rest = programs.adding(), programs.tipped(), spectators, self.broadcast.banks
            self.host.learn(TableState(self._holders, present, *rest, self._people))

    def clocks_changed(self, news: ClocksChanged) -> None:
        """Show that the match waits for other seats, or since another time."""
        self.broadcast.tell_clocks(players=not news.players_told)
        if self._trips.due is not None:
            self._tell_trips()
        self._tell_waiting()
        if news.banks != self.record.banks:
            self._on_activity(self)

    def _tell_waiting(self) -> None:
        """Tell the lobby for whom the match waits, where that is new."""
        if self.waiting != self._waited:
            self._waited = self.waiting
            self._on_change(self)

    def banks_left(self) -> tuple[int, ...]:
        """Return the milliseconds that each seat has left in its bank."""
        return self.record.banks if self.host is None else self.host.deadlines.left(len(self.record.seats))

    def over(self) -> None:
        """Show that nothing more is played. A long match's replay takes seconds, and a full disk may keep it for
        longer."""
        self.is_over = True
        self.broadcast.tell()

    def parked(self, code: str = PARKED) -> None:
        """Park the match, for the reason of this code, and tell all at the table."""
        self.park(code)
        self.broadcast.tell()
        self.broadcast.say(Refused(code).problem())

    def park(self, code: str) -> None:
        """Park the match, for the reason of this code."""
        self.why_parked = code
        self._tell_waiting()

    def unpark(self) -> None:
        """Let the match go on."""
        self.why_parked = ""
        self._tell_waiting()


def _watcher(session: Session) -> str:
    """Return the name of a connection, of which a person may have several."""
    return f"{session.who} {id(session)}"
