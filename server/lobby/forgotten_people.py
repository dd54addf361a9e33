"""Tables without people whose accounts are deleted: their seats are given up, their names and words go."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from server.lobby.removals import seat_given_up
from server.lobby.table import table_record
from server.lobby.table.table_chat import forget_lines, lists_of
from server.lobby.table.table_record import FINISHED
from server.match.bots.bot_factory import new_seed

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord


class ForgottenPeople:
    """The forgetting of people at all tables of a lobby."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    async def forget(self, people: frozenset[str]) -> frozenset[str]:
        """Take these people from all tables, and return those of whom nothing is left there: a match that is just
        ending keeps its seats until it has ended. Raises StoreError; a part may be gone then."""
        left: set[str] = set()
        async for record in self._lobby.records():
            at = people.intersection(_people_of(record))
            live = self._lobby.table(record.id) if at else None
            if live is not None:
                for who in at:
                    left |= set() if await self._leave(live, who) else {who}
            for name in lists_of(record.id, len(record.seats)):
                await forget_lines(self._services, name, people)
        for live in self._lobby.in_memory():
            live.past.chat.forget(people)
        return people - left

    async def _leave(self, live: LiveTable, who: str) -> bool:
        """Return True where a table has nothing of this person any more."""
        async with live.lock:
            record = live.record
            seat = -1 if record.state == FINISHED else record.seat_of(who)
            if live.is_over and record.state != FINISHED:
                return False
            if seat >= 0:
                record = table_record.leave(record, who, self._lobby.matches.substitute(record), new_seed())
            record = table_record.without_name(record, who, secrets.token_hex(8))
            if record != live.record:
                keep = self._lobby.amend if record.state == FINISHED else self._lobby.save
                await keep(live, record)
        if seat >= 0:
            seat_given_up(self._lobby, live, seat)
        return True


def _people_of(record: TableRecord) -> set[str]:
    """Return all whose names a table may have, or who hold a seat there, or for whom one is kept."""
    return {*record.people, *record.kept_for, *record.line_up, *(seat.former for seat in record.seats)}
