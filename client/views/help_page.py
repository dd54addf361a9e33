"""Page of all keys (F1)."""

from __future__ import annotations

from client.text.phrases import ENGLISH, phrase
from client.ui import theme
from client.ui.frame import Ui

KEYS = [key.split(".")[1] for key in ENGLISH if key.startswith("help.") and key.endswith(".key")]
"""Purposes of keys, in the order of the page."""


def draw_help(ui: Ui) -> None:
    """Draw the page in the middle of the window."""
    step = min(ui.px(25), (ui.size[1] - ui.px(84)) / len(KEYS))
    inside = ui.popup(ui.px(620), ui.px(84) + step * len(KEYS), phrase("help.title"))
    for row, deed in zip(inside.rows(step, 0), KEYS, strict=False):
        ui.label(phrase(f"help.{deed}.key"), row.x, row.centre[1], bold=True, room=ui.px(190))
        ui.label(phrase(f"help.{deed}"), row.x + ui.px(200), row.centre[1], room=row.w - ui.px(200))
    ui.label(phrase("help.close"), inside.x, inside.y + ui.px(8), size=theme.SMALL, colour=theme.MUTED)
