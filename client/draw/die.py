"""Drawing of dice, one or in rows, as they lie or while they tumble."""

from __future__ import annotations

import random

from client.draw.emblem import polygon_corners
from client.model.playback.shown_scene import Playing
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.scene.nodes import Dice

SETTLED = 0.6
"""Share of a roll's time after which its dice lie still."""
FACES = 12.0
"""Faces that pass in a roll's time."""
PALE, PALE_EDGE = 36, 90
"""Opacity of a die that does not count and of its edge, of 255."""
NUMBER = 0.6
"""Most of a die's side that its number is high."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0)),
}

OUTLINES = {4: (3, 90, 0.6), 8: (4, 0, 0.56), 10: (10, 0, 0.54), 12: (5, 90, 0.54), 20: (6, 90, 0.53)}
"""Outline of dice that are no cubes, as one sees them from above: its corners, where the first stands (degrees), and
its radius as a share of the die's side."""


def tumbling(playing: Playing | None) -> int:
    """Return a number above 0 that changes while the dice of the act being shown tumble, else 0."""
    if playing is None or playing.cue is None or playing.cue.dice is None or playing.progress >= SETTLED:
        return 0
    return int(playing.progress * FACES) + 1


def _dice_per_row(width: float, side: float, gap: float) -> int:
    """Return the number of dice of this size that stand side by side, at least one."""
    return max(int((width + gap) // (side + gap)), 1)


def dice_rows(count: int, width: float, side: float, gap: float) -> int:
    """Return the number of rows that so many dice of this size fill."""
    return -(-count // _dice_per_row(width, side, gap))


def draw_dice_rows(
    ui: Ui, rect: Rect, dice: Dice, colour: Colour, *, side: int, gap: int, tumble: int, most: int | None = None
) -> None:
    """Draw dice in rows from the upper left, as many as fit and `most` at most; while they tumble (`tumble` above 0),
    faces that pass. Of those that lie, the ones that do not count are pale."""
    per_row = _dice_per_row(rect.w, side, gap)
    passing = random.Random(tumble)
    for i, face in enumerate(dice.faces[:most]):
        box = Rect(rect.x + i % per_row * (side + gap), rect.top - i // per_row * (side + gap) - side, side, side)
        if box.y < rect.y - 1:
            return
        is_pale = not tumble and dice.high > 0 and not dice.low <= face <= dice.high
        draw_die(ui, box, passing.randint(1, dice.sides) if tumble else face, dice.sides, colour, is_pale=is_pale)


def draw_die(ui: Ui, box: Rect, face: int, sides: int, colour: Colour, *, is_pale: bool) -> None:
    """Draw a die with this face up: a six-sided one with pips, others in their outline with their number."""
    paper, edge, ink = theme.PAPER, colour, theme.INK
    if is_pale:
        paper, edge, ink = theme.faded(paper, PALE), theme.faded(edge, PALE_EDGE), theme.TEXT
    width, (cx, cy) = max(box.w * 0.09, 1.5), box.centre
    if sides in OUTLINES:
        corners, start, size = OUTLINES[sides]
        outline = polygon_corners(cx, cy, box.w * size - width / 2, corners, start)
        ui.painter.fill(outline, paper)
        ui.painter.stroke(outline, width, edge, closed=True)
    else:
        ui.painter.box(box, paper, width, edge, box.w * 0.18)
    if sides == 6 and face in PIPS:
        for dx, dy in PIPS[face]:
            ui.painter.disc(cx + dx * box.w * 0.25, cy + dy * box.w * 0.25, max(box.w * 0.095, 1.2), ink)
    else:
        size = max((size for size in theme.SIZES if ui.px(size) <= box.w * NUMBER), default=theme.SMALL)
        ui.label(str(face), cx, cy, size=size, colour=ink, bold=True, anchor="center")
