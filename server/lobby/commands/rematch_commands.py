"""The table at which the people of a finished match play again, with the same settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from server.lobby.new_tables import new_table
from server.lobby.table.agreement import TERMS
from server.lobby.table.next_seats import next_seats
from server.lobby.table.table_names import seats_of
from server.lobby.table.table_record import FINISHED, OPEN, TableRecord
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.seating import Rematch
    from server.lobby.commands.table_commands import Commands
    from server.lobby.invitations import Invitations
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable

SETTINGS: Final = (*TERMS, "private", "password", "late", "watchers_heard", "staying", "admitted", "banned", "removed")
"""Fields of a table that are the same at the next one."""


class RematchCommands:
    """The command of those who play again."""

    def __init__(self, services: Services, lobby: Lobby, commands: Commands, invitations: Invitations) -> None:
        self._services = services
        self._lobby = lobby
        self._commands = commands
        self._invitations = invitations

    async def rematch(self, session: Session, _: Rematch) -> None:
        """Raises Refused, StoreError: then nothing has changed."""
        live = self._lobby.mine(session)
        async with live.lock:
            following = self._following(live.record)
            is_new = following is None
            if following is None:
                following = await self._open(session, live)
        if is_new:
            await self._lobby.go_to(session, following)
        else:
            await self._commands.sit_down(session, following, has_code=False)

    def _following(self, table: TableRecord) -> LiveTable | None:
        """Return the table that has been opened after this one, while it has not begun."""
        if table.state != FINISHED:
            raise Refused("rematch/not-over")
        live = self._lobby.find(table.next) if table.next else None
        return live if live is not None and live.record.state == OPEN else None

    async def _open(self, session: Session, live: LiveTable) -> LiveTable:
        """Open the next table, and tell the others of it. After a kill in between the finished table does not know it;
        nobody is there, and it is removed."""
        before = live.record
        if not seats_of(before, session.who):
            raise Refused("match/no-seat")
        scenario = self._lobby.scenario(before.system, before.scenario)
        seats = next_seats(before, scenario.sides, session.who, has_lists=scenario.points > 0)
        fresh = new_table(self._services, session, before.system, scenario, before.name, seats)
        settings = {name: getattr(before, name) for name in SETTINGS}
        record = replace(fresh, **settings, again=True)
        for _ in record.kept_for:
            self._services.bounds.spend("invitations", session.asker)
        following = await self._lobby.create(record, session.asker)
        await self._lobby.amend(live, replace(before, next=record.id))
        for who in record.kept_for:
            self._invitations.tell(record, who)
        live.broadcast.tell()
        return following
