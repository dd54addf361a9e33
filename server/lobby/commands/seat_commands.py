"""The commands about seats: kept, locked and exchanged before the start, taken over by agreement in a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.match.causes import TableEvent
from server.lobby.seat_terms import check_player
from server.lobby.table import admission, ranked, seat_changes, seating, table_record
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.seating import AskSeat, GiveSeat, KeepSeat, SwapSeats
    from server.accounts.identities import Identities
    from server.lobby.invitations import Invitations
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable


class SeatCommands:
    """Methods, one for each message (protocol/wire/seating.py), called for the session that has sent it. One that
    raises Refused or StoreError has changed nothing."""

    def __init__(self, services: Services, lobby: Lobby, identities: Identities, invitations: Invitations) -> None:
        self._services = services
        self._lobby = lobby
        self._identities = identities
        self._invitations = invitations

    async def keep(self, session: Session, asked: KeepSeat) -> None:
        live = self._lobby.mine(session)
        table_record.must_own(live.record, session.who)
        if asked.who is None and asked.name is None:
            change = seating.lock_seat if asked.locked else seating.open_seat
            async with live.lock:
                await self._lobby.save(live, change(live.record, session.who, asked.seat))
            return
        found = await (self._identities.find(asked.who) if asked.who else self._identities.keeper(asked.name or ""))
        if found is None:
            raise Refused("people/unknown")
        length = self._services.limits.name_length
        async with live.lock:
            kept = seating.keep_seat(live.record, session.who, asked.seat, found.id, found.name, length)
            self._services.bounds.spend("invitations", session.asker)
            await self._lobby.save(live, kept)
        self._invitations.tell(live.record, found.id)

    async def swap(self, session: Session, asked: SwapSeats) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            await self._lobby.save(live, seating.swap_seats(live.record, session.who, asked.seat, asked.other))

    async def ask(self, session: Session, asked: AskSeat) -> None:
        live = self._lobby.mine(session)
        if asked.seat is None:
            live.seat_asks.forget(session.who)
        else:
            live.seat_asks.ask(live.record, session.who, asked.seat)
        live.broadcast.tell()

    async def give(self, session: Session, asked: GiveSeat) -> None:
        live = self._lobby.mine(session)
        async with live.lock:
            number = _given(live, session.who, asked.who)
            if asked.allow:
                await self._give(live, number, asked.who)
        live.seat_asks.forget(asked.who)
        live.look_anew()

    async def _give(self, live: LiveTable, number: int, who: str) -> None:
        """Seat a spectator in place of the person or the bot that holds a seat."""
        taker = next((other for other in live.participants.watchers if other.who == who), None)
        if taker is None or live.is_over:
            raise Refused("seat/not-asked")
        record, limits = live.record, self._services.limits
        taken = seating.take_over(record, number, who, taker.name, limits.name_length)
        ranked.check_hands(record)
        await check_player(self._identities, self._lobby.book, record, who)
        self._lobby.bounds.check_seat(taker.asker)
        former = record.seats[number]
        if former.who:
            taken = admission.admit(taken, former.who, limits.remembered)
        await self._lobby.save(live, seat_changes.pass_ownership(taken), taker.asker)
        live.roles.forget(who)
        if former.bot:
            live.person_plays(number)
        elif live.host is not None:
            live.host.note(TableEvent("moved", number))


def _given(live: LiveTable, giver: str, who: str) -> int:
    """Return the seat that a spectator has asked for, and this person may give. Raises Refused."""
    number = live.seat_asks.of(who)
    if number < 0:
        raise Refused("seat/not-asked")
    seat = live.record.seats[number]
    if giver != (seat.who or live.record.owner):
        raise Refused("seat/not-yours")
    return number
