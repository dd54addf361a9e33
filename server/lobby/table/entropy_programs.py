"""The programs at one table that add to its dice: their tips, and the way to ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.fairness.entropy_record import BOT, EMPTY, PERSON

if TYPE_CHECKING:
    from server.lobby.sessions import Session
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import SeatRecord
    from server.match.news import PartWanted


class EntropyPrograms:
    """Tips by connection: they may come before their person has a seat."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self._tips: dict[Session, tuple[bytes, bytes]] = {}

    def know(self, session: Session, tip: bytes, key: bytes) -> str:
        """Take the tip and key of this connection's program; return the code of a refusal, or an empty string."""
        self._tips[session] = tip, key
        self._table.send_state()
        return self._hand_on(session)

    def forget(self, session: Session) -> None:
        """Note that this program is not connected any more."""
        self._tips.pop(session, None)

    def hand_over(self) -> None:
        """Tell the match of all tips."""
        for session in self._tips:
            self._hand_on(session)

    def _hand_on(self, session: Session) -> str:
        host, seat = self._table.host, self._table.participants.players.get(session)
        return host.know_tip(seat, *self._tips[session]) if host is not None and seat is not None else ""

    def ask_part(self, wanted: PartWanted) -> None:
        """Ask the program of a seat for its part."""
        for session, seat in self._table.participants.players.items():
            if seat == wanted.seat and session in self._tips:
                session.say(wanted.message)

    def adding(self) -> frozenset[int]:
        """Return the seats of the connected programs that add to dice."""
        return frozenset(seat for session, seat in self._table.participants.players.items() if session.adds)

    def tipped(self) -> frozenset[int]:
        """Return the seats of the connected programs that have said a tip."""
        return frozenset(seat for session, seat in self._table.participants.players.items() if session in self._tips)


def holder_of(seat: SeatRecord) -> str:
    """Return who holds a seat, in the words of the match's record; of a bot that stands in for a person, the bot."""
    if seat.bot:
        return BOT
    return PERSON if seat.who else EMPTY
