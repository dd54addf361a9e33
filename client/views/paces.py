"""The paces that a person chooses: how fast acts are shown to them, and how soon bots act."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from client.model.playback.durations import SPEEDS
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.from_client import BotPace
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


def draw_paces(ui: Ui, row: Rect, session: ClientSession, navigator: Navigator, view: TableView | None) -> None:
    """Draw the two settings side by side; a click takes the next value."""
    speed, bots = row.columns(2)
    words = phrase("speed", speed=phrase(f"speed.{navigator.profile.speed}"))
    ui.button(speed, words, partial(next_speed, navigator), name=phrase("speed.name"), tip=phrase("speed.tip"))
    pace = view.bot_pace if view is not None else BOT_PACES[0]
    wish = partial(session.say, BotPace(pace=next_bot_pace(pace))) if plays_with_bots(view) else None
    words = phrase("option.bot_pace", seconds=f"{pace / 1000:g}")
    tip = phrase("bots.tip" if wish is not None else "bots.none")
    ui.button(bots, words, wish, name=phrase("option.bot_pace.name"), tip=tip)
