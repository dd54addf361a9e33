"""Marks on the table by which a player points at a place, for their own side. Nothing of them is stored or counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.rules.sides import allies_of
from protocol.wire.from_server import PointedAt
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire.from_client import PointAt
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable


def point_at(table: LiveTable, session: Session, asked: PointAt) -> None:
    """Show a player's mark to the players of their side; at a table without sides, to all; to none who has blocked
    them. Raises Refused."""
    mine = table.seat_of(session)
    if mine is None:
        raise Refused("talk/watching")
    x, y = asked.at
    mark = PointedAt(mine, (x, y))
    if not table.sides:
        table.broadcast.say(mark, session.who)
        return
    allies = allies_of(table.sides, mine)
    for other, seat in table.participants.players.items():
        if seat in allies and not table.people.is_blocked(other.who, session.who):
            other.say(mark)
