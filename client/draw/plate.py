"""Plate with a few words over the table, readable on every ground."""

from __future__ import annotations

from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour

HIGH = 20
"""Pixels from foot to top of a plate."""
BESIDE = 6
"""Pixels between a plate's sides and its words."""


def draw_plate(
    ui: Ui, words: str, x: float, y: float, colour: Colour = theme.PLATE_TEXT, *, bold: bool = False
) -> None:
    """Draw words in one line on a plate, the middle of both at a place of the window."""
    width, height = ui.width(words, size=theme.SMALL, bold=bold) + 2 * ui.px(BESIDE), ui.px(HIGH)
    ui.painter.rect(Rect(x - width / 2, y - height / 2, width, height), theme.faded(theme.PLATE, 225), 4)
    ui.label(words, x, y, size=theme.SMALL, colour=colour, anchor="center", bold=bold)
