"""Layout: rectangles in pixels, origin lower left, and the panels of the table. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from client.ui.theme import GAP


class Rect(NamedTuple):
    """Rectangle by left, bottom, width and height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def top(self) -> float:
        return self.y + self.h

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x + self.w / 2, self.y + self.h / 2)

    def contains(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.top

    def overlaps(self, other: Rect) -> bool:
        """Return True if both share some area; touching edges do not."""
        return self.x < other.right and other.x < self.right and self.y < other.top and other.y < self.top

    def inset(self, by: float) -> Rect:
        return Rect(self.x + by, self.y + by, max(self.w - 2 * by, 0), max(self.h - 2 * by, 0))

    def cut_top(self, height: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the strip at the top and what is left below it."""
        strip = Rect(self.x, self.top - height, self.w, height)
        return strip, Rect(self.x, self.y, self.w, max(self.h - height - gap, 0))

    def cut_bottom(self, height: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the strip at the bottom and what is left above it."""
        strip = Rect(self.x, self.y, self.w, height)
        return strip, Rect(self.x, self.y + height + gap, self.w, max(self.h - height - gap, 0))

    def cut_left(self, width: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the strip at the left and the rest."""
        strip = Rect(self.x, self.y, width, self.h)
        return strip, Rect(self.x + width + gap, self.y, max(self.w - width - gap, 0), self.h)

    def cut_right(self, width: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the strip at the right and the rest."""
        strip = Rect(self.right - width, self.y, width, self.h)
        return strip, Rect(self.x, self.y, max(self.w - width - gap, 0), self.h)

    def columns(self, count: int, gap: float = GAP) -> tuple[Rect, ...]:
        """Return `count` equal columns with `gap` between them."""
        each = (self.w - gap * (count - 1)) / count
        return tuple(Rect(self.x + i * (each + gap), self.y, each, self.h) for i in range(count))

    def rows(self, height: float, gap: float = 4) -> Iterator[Rect]:
        """Yield rows from the top down, as many as fit whole."""
        top = self.top
        while top - height >= self.y - 0.5:
            yield Rect(self.x, top - height, self.w, height)
            top -= height + gap

    def share(self, count: int, height: float, gap: float = 4) -> Iterator[Rect]:
        """Yield `count` rows or more from the top down, lower than `height` where they would not fit."""
        return self.rows(min(height, (self.h + gap) / max(count, 1) - gap), gap)

    def middle(self, width: float, height: float) -> Rect:
        """Return a rectangle of at most this size in the centre of this one."""
        w, h = min(width, self.w), min(height, self.h)
        return Rect(self.x + (self.w - w) / 2, self.y + (self.h - h) / 2, w, h)


WHOLE: Final = (960, 640)
"""Pixels of the smallest window in which all panels stand beside the board, ..."""
LARGE_TEXT: Final = 1.6
WHOLE_IN_LARGE: Final = (1280, 800)
"""... and where the text is larger than that."""
STRIP: Final = 32
"""Pixels from foot to top of the line above the board, and of the buttons of the drawers below it."""
NOWHERE: Final = Rect(0, 0, 0, 0)


@dataclass(frozen=True)
class TableLayout:
    """Panels of the table's screen; together they fill the window and never overlap.

    In a small window, and where a person has folded the panels, seats, prompt and log are drawers: those that are shut
    are `NOWHERE`, and `tabs` has a button for each.
    """

    row: Rect
    seats: Rect
    board: Rect
    prompt: Rect
    log: Rect
    tabs: Rect = NOWHERE


def table_layout(
    width: float, height: float, scale: float = 1.0, *, cards: bool = True, drawer: str = "", folded: bool = False
) -> TableLayout:
    """Return the panels for a window of this size. `drawer`: the one that is open (seats, prompt, log) in a small one,
    or where the panels are `folded`.

    Side panels grow with the text scale, but leave the board a third of the width; it takes what is left. Without
    `cards` the panel on top is one line high.
    """
    window = Rect(0, 0, width, height)
    least = WHOLE if scale <= LARGE_TEXT else WHOLE_IN_LARGE
    if folded or width < least[0] or height < least[1]:
        return _with_drawers(window, scale, drawer, cards=cards)
    top = min(max(96 * scale, height * 0.11), 130 * scale) if cards else STRIP * scale
    bottom = min(max(136 * scale, height * 0.17), 220 * scale)
    if scale > LARGE_TEXT:  # the middle needs the height most
        top, bottom = min(top, height * 0.2), min(bottom, height * 0.25)
    left = min(max(220 * scale, width * 0.15), 300 * scale, width * 0.27)
    right = min(max(300 * scale, width * 0.2), 400 * scale, width * 0.4)
    row, rest = window.cut_top(top)
    log, rest = rest.cut_bottom(bottom)
    seats, rest = rest.cut_left(left)
    prompt, board = rest.cut_right(right)
    return TableLayout(row, seats, board, prompt, log)


def _with_drawers(window: Rect, scale: float, drawer: str, *, cards: bool) -> TableLayout:
    row, rest = window.cut_top(min(96 * scale, window.h * 0.16) if cards else STRIP * scale)
    tabs, board = rest.cut_bottom(min(STRIP * scale, window.h * 0.1))
    seats = prompt = log = NOWHERE
    match drawer:
        case "seats":
            seats, board = board.cut_left(min(240 * scale, window.w * 0.45))
        case "prompt":
            prompt, board = board.cut_right(min(320 * scale, window.w * 0.5))
        case "log":
            log, board = board.cut_bottom(min(190 * scale, board.h * 0.5))
    return TableLayout(row, seats, board, prompt, log, tabs)
