"""A table with the people at it now: who looks on, and the host of its match once it is live."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from engine.core.audience import Seat
from protocol.codec import encode
from protocol.from_server import ChatLine, Left, ServerMessage, TableView, Watcher
from protocol.text import Text
from server.channels import SPECTATOR, Viewpoint, player
from server.crowd import Crowd
from server.refusals import Refused
from server.tables import FINISHED, TableRecord
from server.views import table_view

if TYPE_CHECKING:
    from engine.core.system import ScenarioInfo
    from protocol.from_client import Resume
    from protocol.from_server import LinkWanted
    from protocol.scene import Result
    from server.host import MatchHost
    from server.services import Services
    from server.sessions import Session


class LiveTable:
    """A table of the lobby. Its record changes under `lock` only, and only after the store has it."""

    def __init__(
        self,
        record: TableRecord,
        services: Services,
        on_result: Callable[[LiveTable, Result], Awaitable[None]],
        on_change: Callable[[], None],
    ) -> None:
        self.record = record
        self.lock = asyncio.Lock()
        self.host: MatchHost | None = None
        self.is_parked = False
        self.sessions: dict[Session, None] = {}
        self._tips: dict[str, bytes] = {}
        self._crowd = Crowd()
        self._services = services
        self._on_result = on_result
        self._on_change = on_change

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
        return SPECTATOR if seat is None else player(seat)

    # People come and go

    def attach(self, session: Session, resume: Resume | None = None) -> None:
        """This connection looks at the table from now on."""
        self.sessions[session] = None
        session.table = self
        session.offer(encode(self.view(session)), droppable=True)
        self.tell(session)
        self._show(session, resume)
        if self.is_parked:
            session.say(Refused("match/parked").problem())
        self.count_present()

    def _show(self, session: Session, resume: Resume | None = None) -> None:
        """The match as this connection may see it, from now on."""
        view = self.viewpoint(session)
        session.conversation.coalesces = not view.plays
        if self.host is not None:
            self._services.metrics.resumes.add(self.host.channels.attach(session, view, resume))

    def detach(self, session: Session) -> None:
        """This connection looks elsewhere, or is gone; seats are kept."""
        if self.sessions.pop(session, self) is self:
            return
        session.table = None
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
        self.tell()

    def dismiss(self, session: Session, code: str) -> None:
        """Send a connection away, with the reason."""
        self.detach(session)
        session.say(Left(self.record.id, code, Text(f"left.{code}")))

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
            people = set(self.record.people)
            self.host.present(not people or any(session.who in people for session in self.sessions))

    # Links

    def know_tip(self, session: Session, tip: bytes) -> None:
        """The program of this connection adds to the dice, once the match is on and where it has a seat."""
        self._tips[session.who] = tip
        self._hand_tips()

    def _hand_tips(self) -> None:
        for session in self.sessions:
            seat = self.seat_of(session)
            if self.host is not None and seat is not None and session.who in self._tips:
                self.host.know_tip(seat, self._tips[session.who])

    def ask_link(self, seat: Seat, wanted: LinkWanted) -> bool:
        asked = [session for session in self.sessions if self.seat_of(session) == seat and session.who in self._tips]
        for session in asked:
            session.say(wanted)
        return bool(asked)

    # Telling

    def view(self, session: Session) -> TableView:
        """The table as this connection sees it."""
        connected = {other.who for other in self.sessions}
        watching = [s for s in self.sessions if self.seat_of(s) is None]
        named = [Watcher(s.who, s.name) for s in watching[: self._services.limits.watchers_named]]
        host = self.host
        clocks = host.deadlines.views(host.match, self._services.clock.now()) if host is not None else ()
        return table_view(self.record, session.who, self.scenario, connected, named, len(watching), clocks)

    def tell(self, besides: Session | None = None) -> None:
        """Show the table anew to all at it (`besides` one): to players at once, to the others soon."""
        for session in self.sessions:
            if self.seat_of(session) is not None and session is not besides:
                session.offer(encode(self.view(session)), droppable=True)
        if not self._crowd:
            self._crowd.add(self._tell_crowd)

    def _tell_crowd(self) -> Iterator[None]:
        data = b""
        for session in list(self.sessions):
            if session in self.sessions and self.seat_of(session) is None:
                data = data or encode(self.view(session))
                session.offer(data, droppable=True)
                yield

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
        for other in self.sessions:
            if from_player or self.record.watchers_heard or self.seat_of(other) is None:
                other.say(line)

    def name_of(self, session: Session) -> str:
        """What this connection is called here."""
        seat = self.seat_of(session)
        return self.record.seats[seat].name if seat is not None else session.name

    def say(self, message: ServerMessage) -> None:
        """To all at the table."""
        for session in self.sessions:
            session.say(message)

    # What the host tells (server.stepper.Table)

    def clocks_changed(self) -> None:
        self.tell()
        self._on_change()

    async def finished(self, result: Result) -> None:
        await self._on_result(self, result)

    def parked(self) -> None:
        self.is_parked = True
        self.say(Refused("match/parked").problem())
