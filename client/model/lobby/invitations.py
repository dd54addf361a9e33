"""Seats that are kept for the person, their turns, and dates of tables where they sit, as the server tells of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from protocol.ids import TableId
from protocol.wire.client_message import Message
from protocol.wire.dates import DateTold
from protocol.wire.seating import GetInvitations, Invitation
from protocol.wire.webhooks import TurnTold

T = TypeVar("T")
MOST: Final = 20
"""Invitations that wait for an answer: the oldest go."""


class SeatInvitations:
    """Invitations of one session that wait for an answer, by table, the oldest first. `say` sends a message."""

    def __init__(self, say: Callable[[Message], object]) -> None:
        self._say = say
        self.is_known = False
        """True where the server keeps and exchanges seats."""
        self.waiting: dict[TableId, Invitation] = {}
        self.dates: dict[TableId, DateTold] = {}
        """The newest date of each table that has been told, and not read."""
        self.turns: dict[TableId, TurnTold] = {}
        """Tables elsewhere whose match has begun to wait for the person."""

    def begin(self, *, is_known: bool) -> None:
        """Ask a server that keeps seats for those of the person, and to be told of new ones."""
        self.is_known = is_known
        self.waiting.clear()
        self.dates.clear()
        self.turns.clear()
        if is_known:
            self._say(GetInvitations())

    def take(self, message: Invitation | DateTold | TurnTold) -> None:
        """Take a new one."""
        if isinstance(message, DateTold):
            _put(self.dates, message.table, message)
        elif isinstance(message, TurnTold):
            _put(self.turns, message.table, message)
        else:
            _put(self.waiting, message.table, message)

    def close(self, table: TableId) -> None:
        """Ask and tell no more about this table."""
        self.waiting.pop(table, None)
        self.dates.pop(table, None)
        self.turns.pop(table, None)


def _put(found: dict[TableId, T], table: TableId, message: T) -> None:
    """Put the newest message about a table at the end; the oldest go where there are too many."""
    found.pop(table, None)
    found[table] = message
    while len(found) > MOST:
        del found[next(iter(found))]
