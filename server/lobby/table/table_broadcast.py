"""The messages to all at a table: its view when it has changed, its clocks alone after a step; and chat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from protocol.wire.codec import encode
from protocol.wire.from_server import ChatLine, Clocks, ClockView, Role, SeatView, TableView, Watcher
from protocol.wire.server_message import ServerMessage
from server.lobby.table.table_record import LIVE
from server.lobby.table.views import Now, table_view, vote_view
from server.match.spectator_queue import Backlog, SpectatorQueue

if TYPE_CHECKING:
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable


class _Words(NamedTuple):
    """An encoded message with the test of the ids of those who want to hear it."""

    data: bytes
    is_wanted: Callable[[str], bool]


class TableBroadcast:
    """Messages to all at one table. Players are told at once, spectators soon and by a task of their own, which tells
    the table as it is when their turn comes: one message stands for all that was to be told until then."""

    def __init__(self, table: LiveTable, services: Services) -> None:
        self._table = table
        self._services = services
        self._spectators = SpectatorQueue(table.gate)
        self._spectators_wait = False
        self._spectators_want_all = False
        self._players_wait = False
        self._lines: Backlog[_Words] = Backlog(self._spectators)
        self.banks: tuple[int, ...] = ()
        self._named: tuple[Watcher, ...] = ()
        """Both as the players were last told."""

    # The table whole

    def view(self, session: Session) -> TableView:
        """Return the table as this connection sees it."""
        return self._view(session, self._now())

    def _view(self, session: Session, now: Now) -> TableView:
        table = self._table
        role = self._role(session) if table.seat_of(session) is None else Role()
        view = table_view(table.record, session.who, table.scenario, table.sides, now)
        blocked = self._blocked_askers(session.who)
        # of a wish of one whom they have blocked they hear nothing
        known = [Watcher(one.who, one.name) if one.who in blocked else one for one in view.watchers]
        view = replace(view, watchers=tuple(known), seats=self._without_blocked_swaps(view))
        if role.sees != "all" or table.host is None or table.host.channels.delayed is None:
            return replace(view, role=role)
        behind = table.host.channels.delayed.behind(self._services.clock.now())
        return replace(view, role=role, clocks=(), behind=max(round(behind * 1000), -1))

    def _without_blocked_swaps(self, view: TableView) -> tuple[SeatView, ...]:
        """Return the seats of a view without the wish for the viewer's own of one whom they have blocked."""
        if view.seat < 0:
            return view.seats
        viewer = view.seats[view.seat].who
        return tuple(
            replace(seat, swap_with=-1)
            if seat.swap_with == view.seat and self._services.people.is_blocked(viewer, seat.who)
            else seat
            for seat in view.seats
        )

    def _blocked_askers(self, who: str) -> frozenset[str]:
        """Return those with a wish for a seat or to look into one whom this person has blocked."""
        asking = self._table.roles.wishes.keys() | self._table.seat_asks.people
        return frozenset(asker for asker in asking if self._services.people.is_blocked(who, asker))

    def _role(self, session: Session) -> Role:
        return self._table.roles.role(self._table.record, session.who)

    def _now(self) -> Now:
        table, now, wall = self._table, self._services.clock.now(), self._services.clock.wall()
        record, presence = table.record, table.activity.presence
        trips = {session.who: session.trip for session in table.participants.players}
        away = {who: round(presence.away(who, now) * 1000) for who in record.people if who not in trips}
        vote = None
        if record.vote is not None:
            vote = vote_view(record, table.voters(), max(table.activity.vote_ends - now, 0))
        banks = dict(enumerate(self._banks_now()))
        watchers, watching = self._watchers(), len(table.participants.watchers)
        clocks = self._clocks_now(now)
        return Now(
            clocks,
            vote,
            trips,
            away,
            banks,
            watchers,
            watching,
            wall,
            table.is_over,
            table.why_parked,
            table.bots.milliseconds,
        )

    def _clocks_now(self, now: float) -> tuple[ClockView, ...]:
        host = self._table.host
        if host is None or self._table.record.state != LIVE:
            return ()
        return host.deadlines.views(now)

    def _banks_now(self) -> tuple[int, ...]:
        host, record = self._table.host, self._table.record
        if host is None or record.state != LIVE or not record.is_clocked:
            return ()
        return self._table.banks_left()

    def _watchers(self) -> tuple[Watcher, ...]:
        """Return those who see more than the public part, or wish to, and as many of the others as may be named."""
        asks = self._table.seat_asks.of
        named = [Watcher(s.who, s.name, self._role(s), asks(s.who)) for s in self._most_named()]
        return tuple(sorted(named, key=_is_plain))

    def _most_named(self) -> list[Session]:
        most, roles, asks = self._services.limits.watchers_named, self._table.roles, self._table.seat_asks
        watchers = self._table.participants.watchers
        return sorted(watchers, key=lambda one: one.who not in roles and asks.of(one.who) < 0)[:most]

    # To all

    def tell(self, besides: Session | None = None) -> None:
        """Show the table anew to all at it, `besides` one."""
        self._tell_players(besides)
        self._tell_spectators_soon(whole=True)

    def tell_of(self, session: Session) -> None:
        """Tell that this connection has come or gone: of a player all are told at once; of spectators soon and
        together: how many they are, and who where that changes anything about those that are named."""
        if self._table.seat_of(session) is not None:
            self.tell(session)
        else:
            self._players_wait = True
            self._tell_spectators_soon(whole=False)

    def tell_clocks(self, *, players: bool = True) -> None:
        """Tell the clocks after a step; without `players`, these know them already."""
        if players:
            clocks = self.clocks(self._services.clock.now())
            if clocks is None:
                self.tell()
                return
            self._tell_players_clocks(clocks)
        self._tell_spectators_soon(whole=False)

    def clocks(self, now: float) -> bytes | None:
        """Return the clocks, encoded for all. None where players are to be told more: a bank that has become smaller is
        part of the view."""
        return None if self._banks_now() != self.banks else self._clocks(now)

    def _clocks(self, now: float) -> bytes:
        table = self._table
        return encode(Clocks(table.record.id, self._clocks_now(now), len(table.participants.watchers)))

    def _tell_players_clocks(self, data: bytes) -> None:
        for session in self._table.participants.players:
            session.offer(data, droppable=True)

    def _tell_players(self, besides: Session | None) -> None:
        now = self._now()
        self.banks, self._named = self._banks_now(), now.watchers
        self._table.send_state()
        for session in self._table.participants.players:
            if session is not besides:
                session.offer(encode(self._view(session, now)), droppable=True)

    # To the crowd

    def _tell_spectators_soon(self, *, whole: bool) -> None:
        if not self._table.participants.watchers and not self._players_wait:
            return
        self._spectators_want_all |= whole
        if not self._spectators_wait:
            self._spectators_wait = True
            self._spectators.add(self._tell_spectators)

    def _tell_spectators(self) -> Iterator[None]:
        whole, players = self._spectators_want_all, self._players_wait
        self._spectators_wait = self._spectators_want_all = self._players_wait = False
        clocks = self._clocks(self._services.clock.now())
        if players and self._watchers() != self._named:
            whole = True
            self._tell_players(None)
        elif players:
            self._tell_players_clocks(clocks)
        # one for all who see the same
        told: dict[tuple[Role, frozenset[str]], bytes] = {}
        for session in list(self._table.participants.watchers):
            if session not in self._table.sessions or self._table.seat_of(session) is not None:
                continue
            role = self._role(session)
            seen = (role, self._blocked_askers(session.who))
            if seen not in told:
                # who sees all sees it late: no clocks of now, and how late it is changes with each step
                is_whole = whole or role.sees == "all"
                told[seen] = encode(self.view(session)) if is_whole else clocks
            session.offer(told[seen], droppable=True)
            yield

    # Words

    def chat(self, session: Session, text: str) -> ChatLine:
        """Send a line of a player to all, and one of a spectator to spectators, and to players where the table allows
        it, as far as they want to read them. Return it."""
        table, seat = self._table, self._table.seat_of(session)
        name = table.record.seats[seat].name if seat is not None else session.name
        role = "player" if seat is not None else "watcher"
        line = ChatLine(session.who, name, role, text, self._services.clock.wall())
        people = self._services.people
        words = _Words(encode(line), lambda hearer: people.hears(hearer, session.who))
        if seat is not None or table.record.watchers_heard:
            self._say_to_players(words)
        self._say_to_spectators(words)
        return line

    def say(self, message: ServerMessage, of: str = "") -> None:
        """Send a message to all at the table; what comes `of` a person, to those who have not blocked them."""
        people = self._services.people
        words = _Words(encode(message), lambda hearer: not people.is_blocked(hearer, of))
        self._say_to_players(words)
        self._say_to_spectators(words)

    def _say_to_players(self, words: _Words) -> None:
        for session in self._table.participants.players:
            if words.is_wanted(session.who):
                session.offer(words.data)

    def _say_to_spectators(self, words: _Words) -> None:
        if self._table.participants.watchers:
            self._lines.add(words, self._speak_to_spectators)

    def _speak_to_spectators(self, gathered: list[_Words]) -> Iterator[None]:
        for session in list(self._table.participants.watchers):
            if session in self._table.sessions:
                for words in gathered:
                    if words.is_wanted(session.who):
                        session.offer(words.data)
                yield


def _is_plain(watcher: Watcher) -> bool:
    """Return True where a spectator sees the public part alone and wishes for nothing."""
    return watcher.role == Role() and watcher.asks < 0
