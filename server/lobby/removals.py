"""Removals of people from tables, to which they do not come back, nor anybody new from where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.match.causes import TableEvent
from server.lobby.table import admission, seat_changes
from server.lobby.table.table_record import FINISHED, LIVE
from server.match.bots.bot_factory import new_seed

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord
    from server.order.audit import AuditEntry


class Removals:
    """Removals from all tables of a lobby."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    def without(self, live: LiveTable, record: TableRecord, gone: str) -> TableRecord:
        """Return the table to which this person may not come back, as its owner asks, nor, until its match is over,
        anybody new from where they are, unless others at the table are there too."""
        return self._barred(live, admission.ban(record, gone, self._services.limits.remembered), gone)

    def _barred(self, live: LiveTable, record: TableRecord, gone: str) -> TableRecord:
        if record.state == FINISHED:
            return record
        shared = {session.address for session in live.sessions if session.who != gone}
        left = {session.address for session in self._lobby.connections(gone)} - shared
        marks = [self._services.address_marks.of(address, record.id) for address in sorted(left)]
        return admission.bar(record, marks, self._services.limits.remembered)

    def dismiss(self, live: LiveTable, gone: str, code: str) -> None:
        """Send all connections of a removed person away, with the reason."""
        for session in [session for session in live.sessions if session.who == gone]:
            live.dismiss(session, code)

    async def remove(self, live: LiveTable, gone: str, entry: AuditEntry) -> bool:
        """Remove a person for a moderator; return False where the match is over. Raises StoreError: then nothing has
        changed."""
        await self._lobby.sleeping.wake(live)
        async with live.lock:
            record = live.record
            if record.state == FINISHED or live.is_over:
                return False
            seat = record.seat_of(gone)
            left = admission.not_admitted(record, gone)
            if seat >= 0:
                left = seat_changes.leave(left, gone, self._lobby.matches.substitute(record), new_seed())
            left = admission.remove_for_good(left, gone, self._services.limits.remembered)
            await self._lobby.save(live, self._barred(live, left, gone), entry=entry)
        live.roles.forget(gone)
        self.dismiss(live, gone, "moderated")
        if seat >= 0:
            seat_given_up(self._lobby, live, seat)
        return True


def seat_given_up(lobby: Lobby, live: LiveTable, seat: int) -> None:
    """Let a bot play on in a live match for whoever has given up their seat, and show everybody who holds it now. A
    match that sleeps is woken before: without people it is to end, though nobody comes."""
    if live.record.state == LIVE:
        lobby.matches.seat_bot(live, seat)
        if live.host is not None:
            live.host.note(TableEvent("bot", seat))
        lobby.housekeeping.wake(live)
    live.reseat()
