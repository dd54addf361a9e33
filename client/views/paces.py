"""The paces that a person chooses: how fast acts are shown to them, and how soon bots act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.model.playback.durations import SPEEDS
from protocol.wire.from_server import TableView

if TYPE_CHECKING:
    from client.app.navigator import Navigator

BOT_PACES = (300, 800, 1500, 3000, 5000)
"""Milliseconds that bots may wait before each act."""


def next_bot_pace(now: int) -> int:
    """Return the pace of bots that the next click takes, in milliseconds."""
    return next((pace for pace in BOT_PACES if pace > now), BOT_PACES[0])


def plays_with_bots(view: TableView | None) -> bool:
    """Return True for a player of a live match in which a bot plays."""
    return view is not None and view.state == "live" and view.seat >= 0 and any(seat.bot for seat in view.seats)


def next_speed(navigator: Navigator) -> None:
    """Show acts at the next speed from now on."""
    speeds, profile = list(SPEEDS), navigator.profile
    now = speeds.index(profile.speed) if profile.speed in SPEEDS else 0
    profile.speed = speeds[(now + 1) % len(speeds)]
    navigator.keep()
    navigator.app.refresh()
