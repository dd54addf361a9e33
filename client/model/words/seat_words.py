"""Seats of a table before the start in words: who sits there, and how it stands with them. Needs no window."""

from __future__ import annotations

from client.text.phrases import phrase, yes_or_no
from client.text.texts import Texts
from protocol.wire.from_server import SeatView, TableView


def holder_in_words(table: TableView, seat: SeatView, texts: Texts) -> str:
    """Return the name of the person or bot in a seat, or for whom it is free."""
    if seat.bot:
        return phrase("setup.bot", name=seat.name or texts.bot(seat.bot))
    if seat.kept_for:
        return phrase("setup.kept", name=seat.name)
    if not seat.who:
        return phrase("setup.locked" if seat.locked else "setup.free")
    you = phrase("seats.you") if seat.seat == table.seat else ""
    owner = phrase("setup.is_owner") if seat.who == table.owner else ""
    return f"{seat.name}{you}{owner}"


def readiness_in_words(table: TableView, seat: SeatView) -> str:
    """Return in words whether a seat is ready, or wishes for another; "" for a free one."""
    if not seat.bot and not seat.who:
        return ""
    if table.begins and seat.who and not seat.connected:
        return phrase("setup.promised")
    if seat.swap_with >= 0:
        is_mine = seat.swap_with == table.seat
        return phrase("setup.wishes_yours") if is_mine else phrase("setup.wishes", seat=seat.swap_with + 1)
    ready = phrase("setup.is_ready") if seat.ready else phrase("setup.not_ready")
    if table.all_views and seat.who and seat.ready:
        ready = phrase("setup.is_ready.delayed_view", said=yes_or_no(is_so=seat.delayed_view))
    return ready if seat.bot or seat.connected else ready + phrase("setup.not_connected")
