"""The door of a table that has a password: the request to come there, kept until the password is said with it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from protocol.wire.client_message import Message
from protocol.wire.from_client import JoinTable, OpenTable, WatchTable

ASKED: Final = "table/password"
WRONG: Final = "table/wrong-password"
"""Codes of refusals: of who says no password, and of who says a wrong one."""


class TableDoor:
    """Door at which a person stands. `is_shut`: a password is asked for."""

    def __init__(self) -> None:
        self.is_shut = False
        self._asked: JoinTable | WatchTable | None = None

    def go(self, message: Message) -> None:
        """Note that one goes to a table by this request."""
        if isinstance(message, OpenTable):
            # whoever has no right to come back comes anew
            message = WatchTable(table=message.table)
        self._asked = message if isinstance(message, JoinTable | WatchTable) and not message.code else None
        self.is_shut = False

    def refused(self, code: str) -> None:
        """Take a refusal."""
        if code in (ASKED, WRONG) and self._asked is not None:
            self.is_shut = True

    def knock(self, password: str) -> JoinTable | WatchTable | None:
        """Return the request with this password, None where nothing was asked."""
        return replace(self._asked, password=password) if self._asked is not None else None

    def leave(self) -> None:
        """Go away from the door."""
        self._asked, self.is_shut = None, False
