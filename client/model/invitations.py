"""Seats that are kept for the person, as the server tells of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocol.ids import TableId
from protocol.wire.client_message import Message
from protocol.wire.seating import GetInvitations, Invitation

MOST: Final = 20
"""Invitations that wait for an answer: the oldest go."""


class SeatInvitations:
    """Invitations of one session that wait for an answer, by table, the oldest first. `say` sends a message."""

    def __init__(self, say: Callable[[Message], object]) -> None:
        self._say = say
        self.is_known = False
        """True where the server keeps and exchanges seats."""
        self.waiting: dict[TableId, Invitation] = {}

    def begin(self, *, is_known: bool) -> None:
        """Ask a server that keeps seats for those of the person, and to be told of new ones."""
        self.is_known = is_known
        self.waiting.clear()
        if is_known:
            self._say(GetInvitations())

    def take(self, message: Invitation) -> None:
        """Take a new one."""
        self.waiting[message.table] = message
        while len(self.waiting) > MOST:
            del self.waiting[next(iter(self.waiting))]

    def close(self, table: TableId | None) -> None:
        """Ask no more about the seat at this table."""
        if table is not None:
            self.waiting.pop(table, None)
