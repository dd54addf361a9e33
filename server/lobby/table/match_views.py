"""Views that the connections at a table get of its match: a seat's, the public one, or the delayed view."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from server.match.channels import Viewpoint, player

if TYPE_CHECKING:
    from protocol.wire.from_client import Resume
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable

LATE_EVERY: Final = 1.0


class MatchViews:
    """The views of one table's match."""

    def __init__(self, table: LiveTable, services: Services) -> None:
        self._table = table
        self._services = services
        self._showing_delayed: asyncio.Task[None] | None = None

    def viewpoint(self, session: Session) -> Viewpoint:
        """Return what this connection may see."""
        table = self._table
        seat = table.seat_of(session)
        return table.roles.viewpoint(table.record, session.who) if seat is None else player(seat)

    def show(self, session: Session, resume: Resume | None = None) -> None:
        """Show this connection what it may see, from now on."""
        view = self.viewpoint(session)
        session.conversation.coalesces = not view.plays
        host = self._table.host
        if host is not None:
            shown = host.channels.attach(session, view, resume)
            self._services.metrics.resumes.add(shown)
            if shown != "delta":
                self._table.past.tell_history(session, host, view)
            if view.delayed and self._showing_delayed is None:
                self._showing_delayed = self._services.tasks.keep(self._show_delayed, "late")

    async def _show_delayed(self) -> None:
        """Keep the delayed view going while somebody looks at it."""
        table = self._table
        while table.host is not None and any(self.viewpoint(session).delayed for session in table.sessions):
            if table.host.show_delayed():
                table.broadcast.tell()
            await self._services.clock.sleep(LATE_EVERY)
        self._showing_delayed = None

    def show_changed(self) -> None:
        """Show connections what they may see where that has changed: seats or roles have changed hands."""
        host = self._table.host
        if host is not None:
            for session in self._table.sessions:
                if host.channels.view_of(session) not in (None, self.viewpoint(session)):
                    self.show(session)

    def show_anew(self) -> None:
        """Show everyone the match whole: it is another one than before."""
        for session in self._table.sessions:
            self.show(session)
