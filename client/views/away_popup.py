"""Popup after another window or device took over the identity or the seat."""

from __future__ import annotations

from collections.abc import Callable

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui.frame import Ui

MOVED = "session/moved"


def draw_away(ui: Ui, session: ClientSession, close: Callable[[], None]) -> None:
    """Draw the popup, with buttons to connect again and to close the window."""
    ui.begin_popup()
    moved = session.away == MOVED
    inside = ui.panel(ui.window.middle(ui.px(440), ui.px(150)), phrase("away.title"))
    other = phrase("away.passed") if moved else phrase("away.taken_over")
    used = ui.lines(other, inside)
    foot, _ = inside.cut_top(used + ui.px(8))[1].cut_bottom(ui.px(34))
    back, out = foot.columns(2)
    ui.button(back, phrase("away.connect") if moved else phrase("away.take_back"), session.reconnect, primary=True)
    ui.button(out, phrase("away.close"), close)
