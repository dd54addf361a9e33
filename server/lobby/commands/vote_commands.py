"""The commands by which people call votes and take part in them; table_housekeeping.py carries out what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.core.match.causes import TableEvent
from server.lobby.table.table_record import LIVE
from server.lobby.table.votes import BOT, VoteRecord, check_call
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire import from_client as said
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable


class VoteCommands:
    """Commands about votes. One that raises Refused or StoreError has changed nothing."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    async def call(self, session: Session, asked: said.CallVote) -> None:
        """Call a vote of everybody at the table; the caller has voted yes."""
        live = self._lobby.mine(session)
        async with live.lock:
            seat = self._seat(live, session)
            check_call(live.record, asked.what, live.why_parked)
            rests = live.activity.rests_until.get(session.who, 0.0) - self._services.clock.now()
            if rests > 0:
                raise Refused("vote/rest", seconds=int(rests) + 1)
            about = -1
            if asked.what == BOT:
                about = self._absent(live, seat, asked.seat)
            vote = VoteRecord(asked.what, about, seat, {seat: True})
            live.activity.vote_ends = self._services.clock.now() + live.vote_seconds
            await self._lobby.save(live, replace(live.record, vote=vote))
        live.note(TableEvent("vote_called", seat, vote.subject))
        live.acted(session)

    async def cast(self, session: Session, asked: said.CastVote) -> None:
        """Cast a vote, or change it."""
        live = self._lobby.mine(session)
        async with live.lock:
            seat = self._seat(live, session)
            vote = live.record.vote
            if vote is None:
                raise Refused("vote/none")
            if vote.seat == seat:
                raise Refused("vote/not-yours")
            ballots = {**vote.ballots, seat: asked.yes}
            await self._lobby.save(live, replace(live.record, vote=replace(vote, ballots=ballots)))
        live.note(TableEvent("vote_cast", seat, "yes" if asked.yes else "no"))
        live.acted(session)

    def _seat(self, live: LiveTable, session: Session) -> int:
        if live.record.state != LIVE or live.record.ending:
            raise Refused("vote/no-match")
        seat = live.record.seat_of(session.who)
        if seat < 0:
            raise Refused("match/no-seat")
        return seat

    def _absent(self, live: LiveTable, caller: int, about: int | None) -> int:
        seats = live.record.seats
        if about is None or about == caller or about >= len(seats) or not seats[about].who or seats[about].bot:
            raise Refused("vote/seat")
        who, now = seats[about].who, self._services.clock.now()
        if live.activity.presence.away(who, now) < live.grace and not live.activity.defaults.get(about):
            raise Refused("vote/present", name=seats[about].name)
        return about
