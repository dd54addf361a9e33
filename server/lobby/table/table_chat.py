"""The chat of one table as it is remembered: what was said to all, for those who come later."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from protocol.limits import CHAT_LINES
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import ChatHistory, ChatLine
from server.store.port import StoreError

if TYPE_CHECKING:
    from protocol.ids import TableId
    from server.lobby.services import Services


def list_of(table: TableId) -> str:
    """Return the name of a table's list of lines in the store."""
    return f"chat/{table}"


class TableChat:
    """The newest lines of one table. What only two know is never among them."""

    def __init__(self, table: TableId, services: Services) -> None:
        self._table = table
        self._services = services
        self._lines: deque[ChatLine] = deque(maxlen=CHAT_LINES)
        self._is_read = False

    @property
    def is_empty(self) -> bool:
        """True where nothing is remembered."""
        return not self._lines

    async def keep(self, line: ChatLine) -> None:
        """Remember a line. Where the store cannot, it is remembered until the server stops."""
        self._lines.append(line)
        # only then: what is read was said before
        await self.read()
        try:
            await self._services.store.append_line(list_of(self._table), encode(line), CHAT_LINES)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))

    async def read(self) -> None:
        """Read what was said before the server was started, once."""
        if self._is_read:
            return
        try:
            stored = await self._services.store.newest_lines(list_of(self._table), CHAT_LINES)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            return
        if self._is_read:  # by another, meanwhile
            return
        self._is_read = True
        found = (decode_message(line.line, self._services.limits) for line in sorted(stored))
        self._lines.extendleft(line for line in reversed([*found]) if isinstance(line, ChatLine))

    def page(self, hears: Callable[[str], bool], *, watchers_too: bool) -> bytes:
        """Return the lines, encoded: those of players, and those of spectators for whoever hears these; of them those
        of people whom the reader `hears`."""
        lines = [line for line in self._lines if (watchers_too or line.role != "watcher") and hears(line.who)]
        return encode(ChatHistory(self._table, tuple(lines)))
