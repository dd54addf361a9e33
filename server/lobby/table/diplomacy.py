"""Words and offers between two seats of a table, and words to one's side.

They are table talk: nothing of them is logged or counted, and no rule hears of them. What only some know goes to their
connections, and moves nothing that anyone else can see. Words to one alone are kept, sealed, until the match ends;
offers are not stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from engine.core.rules.sides import side_of, side_with_allies
from protocol.text_cleaning import clean_line
from protocol.wire.from_server import ChatLine, OfferView
from server.lobby.table.table_chat import of_side
from server.lobby.table.table_record import FINISHED, SeatRecord
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire import from_client as said
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable


class SeatOffer(NamedTuple):
    """An offer with its two people, who may leave their seats to others: those see nothing of it unless it is open."""

    view: OfferView
    maker: str
    taker: str


class Diplomacy:
    """The talk and the offers of one table, for as long as it is in memory."""

    def __init__(self, table: LiveTable, services: Services) -> None:
        self._table = table
        self._services = services
        self._offers: dict[str, SeatOffer] = {}
        """By id, in the order in which they were made. Bounded for each maker alone: what others do forgets none."""

    def speak_to_side(self, session: Session, text: str) -> None:
        """Say something to the people of the speaker's side. Raises Refused where they have no allies."""
        table, mine = self._table, self._seat_of(session)
        side = side_with_allies(table.sides, mine)
        if side is None:
            raise Refused("talk/no-side")
        name, at = table.record.seats[mine].name, self._services.clock.wall()
        line = ChatLine(session.who, name, "player", text, at, where="side")
        for hearer, seat in list(table.participants.players.items()):
            if side_of(table.sides, seat) == side and self._services.people.hears(hearer.who, session.who):
                hearer.say(line)
        table.past.keep_chat(line, of_side(side))

    async def whisper(self, session: Session, to: int, text: str) -> None:
        """Say something to the holder of one seat, who reads it later where they are away. Raises Refused,
        StoreError."""
        mine = self._seat_of(session)
        holder = self._other(mine, to)
        if holder.bot or not holder.who:
            raise Refused("talk/bot")
        record, at = self._table.record, self._services.clock.wall()
        line = ChatLine(session.who, record.seats[mine].name, "player", text, at, to, to_name=holder.name)
        if record.state != FINISHED:
            await self._services.private_words.add(record.id, holder.who, line)
        hearer = self._session_of(holder.who)
        if hearer is not None and self._services.people.hears(holder.who, session.who):
            hearer.say(line)
        session.say(line)

    def offer(self, session: Session, asked: said.Offer) -> None:
        """Make an offer. A bot declines at once. Raises Refused."""
        mine = self._seat_of(session)
        holder = self._other(mine, asked.to)
        # normalising may make more of a character than one
        text = clean_line(asked.text)[: self._services.limits.offer_length].rstrip()
        if not text:
            raise Refused("chat/empty")
        of_mine = [kept for kept in self._offers.values() if kept.maker == session.who and kept.view.state == "open"]
        same = [kept for kept in of_mine if kept.taker == holder.who]
        if len(of_mine) - len(same) >= self._services.limits.offers:
            raise Refused("talk/too-many", most=self._services.limits.offers)
        for kept in same:
            self._tell(kept._replace(view=replace(kept.view, state="withdrawn")))
        state = "open" if holder.who and not holder.bot else "declined"
        at = self._services.clock.wall()
        view = OfferView(secrets.token_hex(8), mine, asked.to, asked.kind, text, state, at, asked.open)
        self._tell(SeatOffer(view, session.who, holder.who))

    def answer(self, session: Session, asked: said.AnswerOffer) -> None:
        """Accept or decline an offer made to this person, or take back one of their own. Raises Refused."""
        kept = self._offers.get(asked.offer)
        if kept is None or kept.view.state != "open" or session.who not in (kept.maker, kept.taker):
            raise Refused("talk/no-offer")
        if session.who == kept.maker and asked.yes:
            raise Refused("talk/no-offer")
        state = "withdrawn" if session.who == kept.maker else "accepted" if asked.yes else "declined"
        self._tell(kept._replace(view=replace(kept.view, state=state)))

    def show(self, session: Session) -> None:
        """Show one who has just come the offers that they may know of."""
        for kept in self._offers.values():
            may_know = kept.view.open or session.who in (kept.maker, kept.taker)
            if may_know and not self._services.people.is_blocked(session.who, kept.maker):
                session.say(kept.view)

    def _tell(self, kept: SeatOffer) -> None:
        self._offers[kept.view.id] = kept
        self._forget(kept.maker)
        if kept.view.open:
            self._table.broadcast.say(kept.view, kept.maker)
            return
        for who in {kept.maker: None, kept.taker: None}:
            session = self._session_of(who)
            if session is not None and not self._services.people.is_blocked(who, kept.maker):
                session.say(kept.view)

    def _forget(self, maker: str) -> None:
        """Forget the oldest closed offers of one who makes many, and all of those who hold no seat any more."""
        record = self._table.record
        for id in [id for id, kept in self._offers.items() if record.seat_of(kept.maker) < 0]:
            del self._offers[id]
        closed = [id for id, kept in self._offers.items() if kept.maker == maker and kept.view.state != "open"]
        for id in closed[: -self._services.limits.offers_kept]:
            del self._offers[id]

    def _seat_of(self, session: Session) -> int:
        seat = self._table.seat_of(session)
        if seat is None:
            raise Refused("talk/watching")
        return seat

    def _other(self, mine: int, to: int) -> SeatRecord:
        seats = self._table.record.seats
        if to == mine or not 0 <= to < len(seats) or seats[to].free:
            raise Refused("talk/nobody")
        return seats[to]

    def _session_of(self, who: str) -> Session | None:
        players: Iterable[Session] = self._table.participants.players
        return next((session for session in players if who and session.who == who), None)
