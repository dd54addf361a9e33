"""Drawing of dice, one or in rows, as they lie or while they tumble."""

from __future__ import annotations

import random
from collections.abc import Sequence

from client.model.playback.shown_scene import Playing
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


def tumbling(playing: Playing | None) -> int:
    """Return a number above 0 that changes while the dice of the act being shown tumble, else 0."""
    if playing is None or playing.cue is None or playing.cue.dice is None or playing.progress >= SETTLED:
        return 0
    return int(playing.progress * FACES) + 1


def dice_per_row(width: float, side: float, gap: float) -> int:
    """Return the number of dice of this size that stand side by side, at least one."""
    return max(int((width + gap) // (side + gap)), 1)


def draw_dice_rows(
    ui: Ui, rect: Rect, faces: Sequence[int], sides: int, colour: Colour, *, side: int, gap: int, tumble: int
) -> None:
    """Draw dice in rows from the upper left, as many as fit; while they tumble (`tumble` above 0), faces that pass."""
    per_row = dice_per_row(rect.w, side, gap)
    passing = random.Random(tumble)
    for i, face in enumerate(faces):
        box = Rect(rect.x + i % per_row * (side + gap), rect.top - i // per_row * (side + gap) - side, side, side)
        if box.y < rect.y - 1:
            return
        draw_die(ui, box, passing.randint(1, sides) if tumble else face, sides, colour)


def draw_die(ui: Ui, box: Rect, face: int, sides: int, colour: Colour) -> None:
    """Draw a die with this face up: a six-sided one with pips, others with their number."""
    ui.painter.box(box, theme.PAPER, max(box.w * 0.09, 1.5), colour, box.w * 0.18)
    cx, cy = box.centre
    if sides == 6 and face in PIPS:
        for dx, dy in PIPS[face]:
            ui.painter.disc(cx + dx * box.w * 0.25, cy + dy * box.w * 0.25, max(box.w * 0.095, 1.2), theme.INK)
    else:
        ui.label(str(face), cx, cy, size=box.w * 0.5 / ui.scale, colour=theme.INK, bold=True, anchor="center")
