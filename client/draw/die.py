"""Drawing of a die."""

from __future__ import annotations

from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour

SETTLED = 0.6
"""Share of a roll's time after which its dice lie still."""
FACES = 12.0
"""Faces that pass in a roll's time."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0)),
}


def draw_die(ui: Ui, box: Rect, face: int, sides: int, colour: Colour) -> None:
    """Draw a die with this face up: a six-sided one with pips, others with their number."""
    ui.painter.box(box, theme.PAPER, max(box.w * 0.09, 1.5), colour, box.w * 0.18)
    cx, cy = box.centre
    if sides == 6 and face in PIPS:
        for dx, dy in PIPS[face]:
            ui.painter.disc(cx + dx * box.w * 0.25, cy + dy * box.w * 0.25, max(box.w * 0.095, 1.2), theme.INK)
    else:
        ui.label(str(face), cx, cy, size=box.w * 0.5 / ui.scale, colour=theme.INK, bold=True, anchor="center")
