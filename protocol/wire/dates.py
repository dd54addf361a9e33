"""News of the beginning of a table at which the receiver has promised to play."""

from __future__ import annotations

from protocol.ids import TableId
from protocol.wire.server_message import ServerMessage


class DateTold(ServerMessage, frozen=True, tag="date"):
    """Beginning of a table where the receiver has a seat, in Unix seconds: a day and an hour before, and when it has
    been moved. `opened`: the match may begin now, ten minutes before; `freed`: the receiver has not come, and their
    seat is free."""

    table: TableId
    name: str
    begins: int
    opened: bool = False
    freed: bool = False
