"""The following of links: to a seat, to a table to watch, or to a replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.wire.links import LinkedReplay
from server.lobby.table import admission
from server.lobby.table.table_record import FINISHED, OPEN
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.links import FollowLink
    from server.lobby.commands.table_commands import Commands
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable


class LinkCommands:
    """The method for FollowLink, called for the session that has sent it. One that raises Refused or StoreError has
    changed nothing."""

    def __init__(self, services: Services, lobby: Lobby, commands: Commands) -> None:
        self._services = services
        self._lobby = lobby
        self._commands = commands

    async def follow(self, session: Session, asked: FollowLink) -> None:
        live = self._commands.by_code(session, asked.code)
        record = live.record
        if record.state == FINISHED:
            await self._admit(session, live)
            session.say(LinkedReplay(record.id))
        elif session.who in record.people:
            await self._lobby.go_to(session, live)
        elif record.state == OPEN and any(seat.free for seat in record.seats):
            await self._commands.sit_down(session, live, has_code=True)
        else:
            await self._commands.look_on(session, live, has_code=True)

    async def _admit(self, session: Session, live: LiveTable) -> None:
        """Let whoever has the code of a finished table see it from now on. Raises Refused, StoreError."""
        if session.who in live.record.shut_out:
            raise Refused("table/removed")
        async with live.lock:
            record = live.record
            if record.is_guarded and session.who not in record.let_in:
                remembered = self._services.limits.remembered
                await self._lobby.amend(live, admission.admit(record, session.who, remembered))
