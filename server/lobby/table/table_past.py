"""The past of a table, for a connection that comes to it: told beside the picture, as soon as it is in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from engine.core.rules.sides import side_with_allies
from protocol.limits import CHAT_LINES
from protocol.wire.codec import encode
from protocol.wire.from_server import ChatHistory, ChatLine
from server.lobby.table.table_chat import TO_ALL, WATCHERS, Room, TableChat, of_side
from server.store.port import StoreError

if TYPE_CHECKING:
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.match.channels import Viewpoint
    from server.match.host import MatchHost


class TablePast:
    """The past of one table: the chat, and the history of its match."""

    def __init__(self, table: LiveTable, services: Services) -> None:
        self._table = table
        self._services = services
        self.chat = TableChat(table.record.id, services)
        self._telling: set[asyncio.Task[None]] = set()
        self._keeping: set[asyncio.Task[None]] = set()

    def keep_chat(self, line: ChatLine, room: Room) -> None:
        """Remember a line for those who come later, unless the chat here has gone already; nobody waits for the
        store."""
        if self._table.record.chat_dropped:
            return
        self._begin(self.chat.room(room).keep(line), self._keeping)

    def tell_chat(self, session: Session, *, anew: bool = False) -> None:
        """Tell a connection soon what it may read of what was said here; where that is nothing, only if it is told
        `anew`."""
        self._begin(self.show_chat(session, anew=anew), self._telling)

    def tell_history(self, session: Session, host: MatchHost, view: Viewpoint) -> None:
        """Tell a connection soon what happened before the picture that it has just been shown."""
        self._begin(self._show_history(session, host, view, host.shown_version(view)), self._telling)

    def _begin(self, work: Coroutine[Any, Any, None], among: set[asyncio.Task[None]]) -> None:
        task = self._services.tasks.begin(work, "past")
        among.add(task)
        task.add_done_callback(among.discard)

    async def show_chat(self, session: Session, *, anew: bool = True) -> None:
        """Tell a connection what it may read, as `tell_chat` does, once that is read."""
        lines = await self._lines_for(session)
        if session.table is self._table and (lines or anew):
            session.offer(encode(ChatHistory(self._table.record.id, tuple(lines[-CHAT_LINES:]))), droppable=True)

    async def _lines_for(self, session: Session) -> list[ChatLine]:
        """Return the lines that a reader may read, in the order in which they were said."""
        found = [line for lines in await self.conversations(session) for line in lines]
        return sorted(found, key=lambda line: line.at)

    async def conversations(self, session: Session) -> list[list[ChatLine]]:
        """Return the lines that a reader may read by their role, without those of people whom they do not hear: those
        to all, to the reader's side, and with each other person apart."""
        table, services, who = self._table, self._services, session.who
        seat = table.seat_of(session)
        reads_watchers = table.record.watchers_heard or seat is None
        rooms = [TO_ALL, *([WATCHERS] if reads_watchers else [])]
        side = side_with_allies(table.sides, seat) if seat is not None else None
        found = [await self.chat.lines(rooms)]
        if side is not None:
            found.append(await self.chat.lines([of_side(side)]))
        try:
            found += await services.private_words.of(table.record.id, who)
        except StoreError as problem:
            services.log.error("store", problem=str(problem))
        hears = services.people.hears
        return [
            [line for line in lines if (reads_watchers or line.role != "watcher") and hears(who, line.who)]
            for lines in found
        ]

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
