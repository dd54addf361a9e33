"""Rows of a list that can be longer than its room: those that fit from the first in sight, moved by the wheel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect

T = TypeVar("T")


def last_start(heights: Sequence[float], room: float) -> int:
    """Return the number of rows out of sight when the last one is in sight, of rows of these heights."""
    left, start = room, len(heights)
    while start and (heights[start - 1] <= left or start == len(heights)):
        left -= heights[start - 1]
        start -= 1
    return start


def draw_bar(ui: Ui, bar: Rect, first: int, shown: int, count: int) -> None:
    """Draw a bar that tells which of so many rows are in sight."""
    ui.painter.rect(bar, theme.FIELD, 2)
    top, part = bar.top - bar.h * first / count, max(bar.h * shown / count, ui.px(12))
    ui.painter.rect(Rect(bar.x, max(top - part, bar.y), bar.w, part), theme.HOVER, 2)


class ScrolledRows:
    """Scroll position: `first` rows are out of sight above."""

    def __init__(self) -> None:
        self.first = 0

    def fitting(self, ui: Ui, room: Rect, rows: Sequence[T], height: float, gap: float) -> Iterator[tuple[Rect, T]]:
        """Return the rows that fit, each with its place. `height` of a row and the `gap` below it are in pixels."""
        ui.scrolls(room, self._turn)
        places = list(room.rows(height, gap))
        self.first = max(min(self.first, len(rows) - len(places)), 0)
        return zip(places, rows[self.first :], strict=False)

    def _turn(self, steps: int) -> None:
        self.first -= steps
