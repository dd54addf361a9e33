"""A table with the people at it now: who looks on, and the host of its match once it is live."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from engine.core.audience import Seat
from engine.core.causes import TableEvent
from protocol.codec import encode
from protocol.from_server import ChatLine, ClockWarning, Left, Role, ServerMessage, TableView, Watcher
from protocol.text import Text
from server.attendance import Trips, grace_of, voters_of
from server.channels import Viewpoint, player
from server.crowd import Crowd, Gate
from server.refusals import Refused
from server.seatwatch import SeatWatch
from server.tables import FINISHED, LIVE, TableRecord
from server.views import Now, table_view, vote_view
from server.watching import Watching

if TYPE_CHECKING:
    from engine.core.system import ScenarioInfo
    from protocol.from_client import Resume
    from protocol.from_server import LinkWanted
    from protocol.scene import Result
    from server.host import MatchHost
    from server.services import Services
    from server.sessions import Session


LATE_EVERY: Final = 1.0
MOST_TELLINGS: Final = 2
"""That wait for the spectators: each shows the table as it is when its turn comes."""


class _Sorted(NamedTuple):
    """Those who are connected, in the order they came."""

    players: dict[Session, None]
    watchers: dict[Session, None]


class LiveTable:
    """A table of the lobby. Its record changes under `lock` only, and only after the store has it."""

    def __init__(
        self,
        record: TableRecord,
        services: Services,
        on_result: Callable[[LiveTable, Result | None], Awaitable[None]],
        on_change: Callable[[], None],
        on_care: Callable[[LiveTable], None],
        on_lost: Callable[[LiveTable], None],
    ) -> None:
        self.record = record
        self.lock = asyncio.Lock()
        self.host: MatchHost | None = None
        self.is_parked = False
        self.sessions: dict[Session, None] = {}
        self._tips: dict[str, bytes] = {}
        self.watching = Watching()
        self.gate = Gate()
        self._crowd = Crowd(self.gate)
        self._is_telling_all = False
        self._late: asyncio.Task[None] | None = None
        self._sorted: tuple[object, _Sorted] | None = None
        self._services = services
        self._on_result = on_result
        self._on_change = on_change
        self._on_care = on_care
        self._on_lost = on_lost
        self.seats = SeatWatch(services.clock.now())
        self._trips = Trips()

    @property
    def scenario(self) -> ScenarioInfo | None:
        """What is played, None where it is not installed (any more)."""
        installed = self._services.systems.get(self.record.system)
        return installed.scenarios.get(self.record.scenario) if installed is not None else None

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the match waits for."""
        return self.host.deadlines.waiting if self.host is not None and not self.is_parked else ()

    def seat_of(self, session: Session) -> Seat | None:
        """The seat of this session, None where it watches."""
        number = self.record.seat_of(session.who)
        return Seat(number) if number >= 0 else None

    def viewpoint(self, session: Session) -> Viewpoint:
        """What this connection may see of the match."""
        seat = self.seat_of(session)
        return self.watching.viewpoint(self.record, session.who) if seat is None else player(seat)

    # People come and go

    def attach(self, session: Session, resume: Resume | None = None) -> None:
        """This connection looks at the table from now on."""
        self.sessions[session] = None
        self._sort(session)
        session.table = self
        self.seats.arrived(session.who)
        session.offer(encode(self.view(session)), droppable=True)
        self._tell_of(session)
        self._show(session, resume)
        if self.is_parked:
            session.say(Refused("match/parked").problem())
        self.count_present()
        self._on_care(self)

    def _show(self, session: Session, resume: Resume | None = None) -> None:
        """The match as this connection may see it, from now on."""
        view = self.viewpoint(session)
        session.conversation.coalesces = not view.plays
        if self.host is not None:
            self._services.metrics.resumes.add(self.host.channels.attach(session, view, resume))
            if view.late and self._late is None:
                self._late = asyncio.create_task(self._show_late())

    async def _show_late(self) -> None:
        """Keep the late view going while somebody looks at it."""
        while self.host is not None and any(self.viewpoint(session).late for session in self.sessions):
            if self.host.show_late():
                self.tell()
            await self._services.clock.sleep(LATE_EVERY)
        self._late = None

    def detach(self, session: Session) -> None:
        """This connection looks elsewhere, or is gone; seats are kept."""
        if self.sessions.pop(session, self) is self:
            return
        session.table = None
        for group in self._people():
            group.pop(session, None)
        self.seats.presence.left(session.who, self._services.clock.now())
        seat = self.seat_of(session)
        self._tips.pop(session.who, None)
        if self.host is not None and seat is not None:
            self.host.lost(seat)
        if self.host is not None:
            self.host.channels.detach(session)
            if not self.sessions and self.record.state == FINISHED:
                # it can be read again when someone wants to see it
                self.host.stop()
                self.host = None
        self.count_present()
        self._tell_of(session)
        self._on_care(self)

    def dismiss(self, session: Session, code: str) -> None:
        """Send a connection away, with the reason."""
        self.detach(session)
        session.say(Left(self.record.id, code, Text(f"left.{code}")))

    def look_anew(self) -> None:
        """Seats or roles have changed hands: everyone sees what he may see now, and what others see."""
        self.tell()
        self.reseat()

    def reseat(self) -> None:
        """Seats have changed hands: everyone sees what his seat may see now."""
        if self.host is not None:
            for session in self.sessions:
                if self.host.channels.view_of(session) not in (None, self.viewpoint(session)):
                    self._show(session)
        self.count_present()

    def begin(self, host: MatchHost) -> None:
        """The match of this table is on."""
        self.host = host
        self._hand_tips()

    def count_present(self) -> None:
        """Clocks run while a person who plays is connected, or where only bots play."""
        if self.host is not None:
            people, rests = set(self.record.people), bool(self.record.rest)
            self.host.hold(rests)
            self.host.present(not rests and (not people or bool(self._people().players)))

    def stirred(self, session: Session) -> None:
        """This person does something: he is there, not his program alone."""
        if self.seats.stirred(session.who):
            self._on_care(self)

    def link_measured(self, session: Session) -> None:
        """This link's round trip is known."""
        now = self._services.clock.now()
        if self.seat_of(session) is not None and self._trips.measured(session.who, session.trip, now):
            self.tell()

    def person_plays(self, seat: int) -> None:
        """A person plays this seat instead of a bot."""
        if self.host is not None:
            self.host.unseat_bot(Seat(seat))
            self.host.note(TableEvent("person", seat))

    # Links

    def know_tip(self, session: Session, tip: bytes) -> None:
        """The program of this connection adds to the dice, once the match is on and where it has a seat."""
        self._tips[session.who] = tip
        self._hand_tips()

    def _hand_tips(self) -> None:
        for session in self._people().players:
            seat = self.seat_of(session)
            if self.host is not None and seat is not None and session.who in self._tips:
                self.host.know_tip(seat, self._tips[session.who])

    def ask_link(self, seat: Seat, wanted: LinkWanted) -> bool:
        players = self._people().players
        asked = [session for session in players if self.seat_of(session) == seat and session.who in self._tips]
        for session in asked:
            session.say(wanted)
        return bool(asked)

    # Telling

    def view(self, session: Session) -> TableView:
        """The table as this connection sees it."""
        return self._view(session, self._now())

    def _view(self, session: Session, now: Now) -> TableView:
        role = self.watching.role(self.record, session.who) if self.seat_of(session) is None else Role()
        view = table_view(self.record, session.who, self.scenario, now)
        if role.sees != "all" or self.host is None or self.host.channels.late is None:
            return replace(view, role=role)
        behind = self.host.channels.late.behind(self._services.clock.now())
        return replace(view, role=role, clocks=(), behind=max(round(behind * 1000), -1))

    def _people(self) -> _Sorted:
        """Who plays and who looks on, of those that are connected."""
        key = self.record.seats
        if self._sorted is None or self._sorted[0] is not key:
            self._sorted = key, _Sorted({}, {})
            for session in self.sessions:
                self._sort(session)
        return self._sorted[1]

    def _sort(self, session: Session) -> None:
        """Count one who has come."""
        people = self._people()
        (people.watchers if self.seat_of(session) is None else people.players)[session] = None

    def _watchers(self) -> tuple[Watcher, ...]:
        """Those who see more than the public part, or wish to, and then as many of the others as may be named."""
        role = self.watching.role
        named = [Watcher(s.who, s.name, role(self.record, s.who)) for s in self._named()]
        return tuple(sorted(named, key=lambda watcher: watcher.role == Role()))

    def _named(self) -> list[Session]:
        most, watchers = self._services.limits.watchers_named, list(self._people().watchers)
        special = [session for session in watchers if session.who in self.watching]
        return (special + [session for session in watchers if session.who not in self.watching])[:most]

    def _now(self) -> Now:
        record, host, now = self.record, self.host, self._services.clock.now()
        people, wall = self._people(), self._services.clock.wall()
        trips = {session.who: session.trip for session in people.players}
        away = {who: round(self.seats.presence.away(who, now) * 1000) for who in record.people if who not in trips}
        vote = vote_view(record, self.voters(), max(self.seats.vote_ends - now, 0)) if record.vote is not None else None
        if host is None or record.state != LIVE:
            return Now((), vote, trips, away, {}, self._watchers(), len(people.watchers), wall)
        banks = {} if record.mail else dict(enumerate(self.banks_left()))
        clocks = host.deadlines.views(host.match, now)
        return Now(clocks, vote, trips, away, banks, self._watchers(), len(people.watchers), wall)

    @property
    def grace(self) -> float:
        """Seconds after which one who is away does not count."""
        return grace_of(self.record, self._services.limits)

    def voters(self) -> tuple[int, ...]:
        """The seats whose votes count in the open vote."""
        limits, now = self._services.limits, self._services.clock.now()
        return voters_of(self.record, self.seats.presence, limits, self.is_parked, now)

    def _tell_of(self, session: Session) -> None:
        """This one has come or gone: of a player all are told at once, of spectators soon and together."""
        if self.seat_of(session) is not None:
            self.tell(session)
        elif not self._is_telling_all:
            self._is_telling_all = True
            self._crowd.add(self._tell_all)

    def _tell_all(self) -> Iterator[None]:
        self._is_telling_all = False
        self._tell_players(None)
        yield from self._tell_crowd()

    def tell(self, besides: Session | None = None) -> None:
        """Show the table anew to all at it (`besides` one): to players at once, to the others soon."""
        self._tell_players(besides)
        if self._people().watchers and len(self._crowd) < MOST_TELLINGS:
            self._crowd.add(self._tell_crowd)

    def _tell_players(self, besides: Session | None) -> None:
        now = self._now()
        for session in self._people().players:
            if session is not besides:
                session.offer(encode(self._view(session, now)), droppable=True)

    def _tell_crowd(self) -> Iterator[None]:
        now = self._now()
        told: dict[Role, bytes] = {}
        for session in list(self._people().watchers):
            if session in self.sessions and self.seat_of(session) is None:
                role = self.watching.role(self.record, session.who)
                if role not in told:
                    told[role] = encode(self._view(session, now))
                session.offer(told[role], droppable=True)
                yield

    def show_anew(self) -> None:
        """The match is another one than before: all see it whole."""
        for session in self.sessions:
            self._show(session)

    def show_all(self, session: Session) -> None:
        """Everything anew for one that has lost its way."""
        session.say(self.view(session))
        if self.host is not None:
            self.host.channels.show_all(session)

    def chat(self, session: Session, text: str) -> None:
        """Players are heard by all, spectators by spectators, and by players only where the table allows it."""
        from_player = self.seat_of(session) is not None
        role = "player" if from_player else "watcher"
        name = self.name_of(session)
        line = ChatLine(session.who, name, role, text, self._services.clock.wall())
        people = self._people()
        if from_player or self.record.watchers_heard:
            for other in people.players:
                other.say(line)
        self._say_to_crowd(line)

    def _say_to_crowd(self, message: ServerMessage) -> None:
        data, watchers = encode(message), list(self._people().watchers)

        def job() -> Iterator[None]:
            for session in watchers:
                if session in self.sessions:
                    session.offer(data)
                yield

        self._crowd.add(job)

    def name_of(self, session: Session) -> str:
        """What this connection is called here."""
        seat = self.seat_of(session)
        return self.record.seats[seat].name if seat is not None else session.name

    def say(self, message: ServerMessage) -> None:
        """To all at the table."""
        for session in self._people().players:
            session.say(message)
        self._say_to_crowd(message)

    # What the host tells (server.stepper.Table)

    def clocks_changed(self) -> None:
        self.tell()
        self._on_change()
        if self.host is not None and self.banks_left() != self.record.banks:
            self._on_care(self)

    def banks_left(self) -> tuple[int, ...]:
        """Milliseconds that each seat has left in its bank."""
        return self.record.banks if self.host is None else self.host.deadlines.left(len(self.record.seats))

    def warn(self, seats: tuple[int, ...], left: float) -> None:
        self.say(ClockWarning(self.record.id, seats, round(left * 1000)))

    def defaulted(self, seat: int) -> None:
        holder = self.record.seats[seat]
        if holder.who and not holder.bot:
            self.seats.defaults[seat] = self.seats.defaults.get(seat, 0) + 1
            self._on_care(self)

    def figures_left(self, seat: int) -> None:
        self.seats.emptied.add(seat)
        self._on_care(self)

    def acted(self, seat: int) -> None:
        self.seats.defaults.pop(seat, None)

    async def finished(self, result: Result | None) -> None:
        await self._on_result(self, result)

    def steps_lost(self) -> None:
        self._on_lost(self)

    def parked(self) -> None:
        self.is_parked = True
        self.say(Refused("match/parked").problem())
