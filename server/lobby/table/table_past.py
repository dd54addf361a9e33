"""The past of a table, for a connection that comes to it: told beside the picture, as soon as it is in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from server.lobby.table.table_chat import TableChat
from server.store.port import StoreError

if TYPE_CHECKING:
    from protocol.wire.from_server import ChatLine
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.match.channels import Viewpoint
    from server.match.host import MatchHost


class TablePast:
    """The past of one table: the chat to all, and the history of its match."""

    def __init__(self, table: LiveTable, services: Services) -> None:
        self._table = table
        self._services = services
        self.chat = TableChat(table.record.id, services)
        self._telling: set[asyncio.Task[None]] = set()
        self._keeping: set[asyncio.Task[None]] = set()

    def keep_chat(self, line: ChatLine) -> None:
        """Remember a line for those who come later; nobody waits for the store."""
        self._begin(self.chat.keep(line), self._keeping)

    def tell_chat(self, session: Session) -> None:
        """Tell a connection soon what has been said here to all."""
        self._begin(self._show_chat(session), self._telling)

    def tell_history(self, session: Session, host: MatchHost, view: Viewpoint) -> None:
        """Tell a connection soon what happened before the picture that it has just been shown."""
        self._begin(self._show_history(session, host, view, host.shown_version(view)), self._telling)

    def _begin(self, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]]) -> None:
        task = self._services.tasks.begin(work, "past")
        among.add(task)
        task.add_done_callback(among.discard)

    async def _show_chat(self, session: Session) -> None:
        await self.chat.read()
        if not self.chat.is_empty:
            self.show_chat(session)

    def show_chat(self, session: Session) -> None:
        """Tell a connection what has been said here to all, once it is read."""
        table = self._table
        if session.table is table:
            watchers_too = table.record.watchers_heard or table.seat_of(session) is None
            hears = partial(self._services.people.hears, session.who)
            session.offer(self.chat.page(hears, watchers_too=watchers_too), droppable=True)

    async def _show_history(self, session: Session, host: MatchHost, view: Viewpoint, upto: int) -> None:
        try:
            await host.load_history()
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            return
        if host.channels.view_of(session) == view and host.has_history(view, upto):
            session.offer(host.history(view, upto), droppable=True)

    def stop(self) -> list[asyncio.Task[None]]:
        """Tell nothing more. Return the tasks that now end: those that tell, and those that keep what was said."""
        for task in self._telling:
            task.cancel()
        return [*self._telling, *self._keeping]
