"""What the programs at a table have said that they add to its dice, for its match and the links that it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.core.audience import Seat
    from protocol.from_server import LinkWanted
    from server.live import LiveTable
    from server.sessions import Session


class Tips:
    """Tips of their chains, by person: they may come before the match is on, or before the person has a seat."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self._tips: dict[str, bytes] = {}

    def know(self, session: Session, tip: bytes) -> None:
        """The program of this connection adds to the dice, once the match is on and where it has a seat."""
        self._tips[session.who] = tip
        self.hand_over()

    def forget(self, session: Session) -> None:
        """This program is not connected any more."""
        self._tips.pop(session.who, None)

    def hand_over(self) -> None:
        """The match hears of all tips."""
        host = self._table.host
        if host is not None:
            for session, seat in self._table.people.players.items():
                if session.who in self._tips:
                    host.know_tip(seat, self._tips[session.who])

    def ask_link(self, seat: Seat, wanted: LinkWanted) -> bool:
        """Ask the program of this seat for its link; whether one is connected."""
        players = self._table.people.players
        asked = [session for session, held in players.items() if held == seat and session.who in self._tips]
        for session in asked:
            session.say(wanted)
        return bool(asked)
