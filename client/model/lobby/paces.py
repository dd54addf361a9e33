"""Pace of bots: the time that they wait before each act."""

from __future__ import annotations

from protocol.wire.from_server import TableView

BOT_PACES = (300, 800, 1500, 3000, 5000)
"""Milliseconds that bots may wait before each act."""


def next_bot_pace(now: int) -> int:
    """Return the pace of bots that the next click takes, in milliseconds."""
    return next((pace for pace in BOT_PACES if pace > now), BOT_PACES[0])


def plays_with_bots(view: TableView | None) -> bool:
    """Return True for a player of a live match in which a bot plays."""
    return view is not None and view.state == "live" and view.seat >= 0 and any(seat.bot for seat in view.seats)
