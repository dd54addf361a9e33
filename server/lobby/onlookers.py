"""Onlookers of ranked tables: nobody watches from an address from which somebody plays there."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from server.lobby.table import ranked
from server.lobby.table.table_record import FINISHED
from server.runtime.refusals import Refused
from server.store.port import StoreError

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord


class Onlookers:
    """Addresses from which ranked tables are played at, as marks in their records until the match ends."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    def check(self, session: Session, live: LiveTable) -> None:
        """Raise Refused where somebody plays from the address of this connection. Whoever has given a seat up may
        watch on."""
        record = live.record
        if not _is_played_ranked(live) or session.who in (*record.people, *(seat.former for seat in record.seats)):
            return
        here = {player.address for player in live.participants.players}
        marks = self._services.address_marks.all_of(session.address, record.id)
        if session.address in here or not set(record.played_from).isdisjoint(marks):
            raise Refused("table/ranked-address")

    def noted(self, live: LiveTable, record: TableRecord) -> TableRecord:
        """Return a ranked table that knows from where all who are here play."""
        for player in live.participants.players if record.ranked else ():
            record = ranked.seen_from(record, self._mark(player, live), self._services.limits.remembered)
        return record

    async def player_came(self, session: Session, live: LiveTable) -> None:
        """Note from where this connection plays, and send away those who watch from there. Where the store fails, it is
        known while the connection lasts."""
        if not _is_played_ranked(live) or session.who not in live.record.people:
            return
        mark = self._mark(session, live)
        if mark not in live.record.played_from:
            with suppress(StoreError):
                async with live.lock:
                    seen = ranked.seen_from(live.record, mark, self._services.limits.remembered)
                    await self._lobby.save(live, seen)
        self.send_away(live)

    def send_away(self, live: LiveTable) -> None:
        """Send away all who watch a ranked match from where somebody plays."""
        for watcher in list(live.participants.watchers):
            try:
                self.check(watcher, live)
            except Refused:
                live.dismiss(watcher, "ranked-address")

    def _mark(self, session: Session, live: LiveTable) -> str:
        return self._services.address_marks.of(session.address, live.record.id)


def _is_played_ranked(live: LiveTable) -> bool:
    return live.record.ranked and live.record.state != FINISHED and not live.is_over
