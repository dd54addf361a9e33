"""Popup after another window or device took over the identity or the seat."""

from __future__ import annotations

from collections.abc import Callable

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui.frame import Ui

MOVED = "session/moved"


def draw_away(ui: Ui, session: ClientSession, close: Callable[[], None]) -> None:
    """Draw the popup, with buttons to connect again and to close the window."""
    moved = session.away == MOVED
    inside = ui.popup(ui.px(440), ui.px(150), phrase("away.title"))
    other = phrase("away.passed") if moved else phrase("away.taken_over")
    foot, _ = ui.lines(other, inside, gap=8).cut_bottom(ui.px(34))
    back, out = foot.columns(2)
    ui.button(back, phrase("away.connect") if moved else phrase("away.take_back"), session.reconnect, primary=True)
    ui.button(out, phrase("away.close"), close)
