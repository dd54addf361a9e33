"""Camera of the board: maps the table to the window, with pan and zoom. Table in hundredths, window in pixels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from client.ui.layout import Rect
from protocol.scene.nodes import Point

Spot = tuple[float, float]
CLOSEST = 8.0
MARGIN = 12
ABOVE = 28
"""Pixels above a whole table, where it is less high than the panel: the rest is below, for the bar at the foot."""


class View(NamedTuple):
    """All that decides where a place of the table stands in the window: the pixel at which the focus is shown, the
    focus, pixels a hundredth, and the panel."""

    centre: Spot
    focus: Spot
    scale: float
    board: Rect

    def place(self, x: float, y: float) -> Spot:
        (cx, cy), (fx, fy) = self.centre, self.focus
        return (cx + (x - fx) * self.scale, cy + (y - fy) * self.scale)


class Camera:
    """Part of the table that fills the board panel. `zoom` 1 shows the whole table with a margin."""

    def __init__(self, table: Point = (7200, 4800)) -> None:
        self.table = table
        self.board = Rect(0, 0, 100, 100)
        self.zoom = 1.0
        self.focus = (table[0] / 2, table[1] / 2)

    def look_at(self, board: Rect, table: Point) -> None:
        """Set the panel and the table; another table is shown whole."""
        if table != self.table:
            self.table = table
            self.fit()
        self.board = board

    def fit(self) -> None:
        """Show the whole table."""
        self.zoom = 1.0
        self.focus = (self.table[0] / 2, self.table[1] / 2)

    @property
    def scale(self) -> float:
        """Pixels a hundredth."""
        across = (self.board.w - 2 * MARGIN) / max(self.table[0], 1)
        up = (self.board.h - 2 * MARGIN) / max(self.table[1], 1)
        return max(min(across, up), 1e-4) * self.zoom

    @property
    def view(self) -> View:
        return View(self.centre, self.focus, self.scale, self.board)

    @property
    def centre(self) -> Spot:
        """Pixel at which the focus is shown."""
        x, y = self.board.centre
        spare = self.board.h - 2 * MARGIN - self.table[1] * self.scale / self.zoom
        return (x, y + max(0.0, spare / 2 - ABOVE))

    def to_window(self, x: float, y: float) -> tuple[float, float]:
        return self.view.place(x, y)

    def all_to_window(self, points: Iterable[Spot]) -> list[Spot]:
        """Map many places of the table to the window."""
        return _placed(points, self.centre, self.focus, self.scale)

    def outline(self, points: tuple[Spot, ...]) -> tuple[Spot, ...]:
        """Map an outline of the table to the window; cached, for outlines that seldom change."""
        return _outline(points, self.centre, self.focus, self.scale)

    def to_table(self, x: float, y: float) -> Point:
        """Return the nearest whole point of the table's grid under a pixel."""
        cx, cy = self.centre
        return (round((x - cx) / self.scale + self.focus[0]), round((y - cy) / self.scale + self.focus[1]))

    def pan(self, dx: float, dy: float) -> None:
        """Drag the table by pixels; the centre of view stays on the table."""
        self._focus_on(self.focus[0] - dx / self.scale, self.focus[1] - dy / self.scale)

    def show(self, x: float, y: float, margin: float) -> None:
        """Move the view just as far that a place of the table is in it, with so many pixels around."""
        room = self.board.inset(min(margin, self.board.w / 3, self.board.h / 3))
        wx, wy = self.to_window(x, y)
        self.pan(min(max(wx, room.x), room.right) - wx, min(max(wy, room.y), room.top) - wy)

    def zoom_at(self, x: float, y: float, factor: float) -> None:
        """Zoom so that the point under the pixel stays under it."""
        before = ((x - self.centre[0]) / self.scale, (y - self.centre[1]) / self.scale)
        self.zoom = min(max(self.zoom * factor, 0.5), CLOSEST)
        after = ((x - self.centre[0]) / self.scale, (y - self.centre[1]) / self.scale)
        self._focus_on(self.focus[0] + before[0] - after[0], self.focus[1] + before[1] - after[1])

    def _focus_on(self, x: float, y: float) -> None:
        self.focus = (min(max(x, 0), self.table[0]), min(max(y, 0), self.table[1]))


def _placed(points: Iterable[Spot], centre: Spot, focus: Spot, scale: float) -> list[Spot]:
    (cx, cy), (fx, fy) = centre, focus
    return [(cx + (x - fx) * scale, cy + (y - fy) * scale) for x, y in points]


@lru_cache(maxsize=512)
def _outline(points: tuple[Spot, ...], centre: Spot, focus: Spot, scale: float) -> tuple[Spot, ...]:
    return tuple(_placed(points, centre, focus, scale))
