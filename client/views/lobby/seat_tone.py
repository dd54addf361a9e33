"""Tone of the words about a seat before the start."""

from __future__ import annotations

from client.ui import theme
from protocol.wire.from_server import SeatView, TableView


def readiness_tone(table: TableView, seat: SeatView) -> theme.Colour:
    """Return the tone of the words that say whether a seat is ready."""
    if table.begins and seat.who and not seat.connected:
        return theme.MUTED
    is_good = seat.bot or (seat.who and seat.ready and seat.connected)
    return theme.GOOD if is_good and seat.swap_with < 0 else theme.WARN
