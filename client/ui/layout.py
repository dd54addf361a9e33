"""Rectangles in pixels, origin lower left, and how they are cut. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from client.ui.theme import GAP, STEP


def on_grid(size: float) -> float:
    """Return the next smaller step of the grid: a share of something is cut there."""
    return size // STEP * STEP


def up_to_grid(size: float) -> float:
    """Return the next larger step of the grid: room for something that is as wide as its words."""
    return -(-size // STEP) * STEP


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
        """Return `count` columns with `gap` between them, equal but for steps of the grid."""
        each = (self.w - gap * (count - 1)) / count
        edges = [*(on_grid(i * (each + gap)) for i in range(count)), self.w + gap]
        return tuple(Rect(self.x + edges[i], self.y, edges[i + 1] - gap - edges[i], self.h) for i in range(count))

    def rows(self, height: float, gap: float = 4) -> Iterator[Rect]:
        """Yield rows from the top down, as many as fit whole."""
        top = self.top
        while top - height >= self.y - 0.5:
            yield Rect(self.x, top - height, self.w, height)
            top -= height + gap

    def share(self, count: int, height: float, gap: float = 4) -> Iterator[Rect]:
        """Yield `count` rows or more from the top down, lower than `height` where they would not fit."""
        return self.rows(min(height, on_grid((self.h + gap) / max(count, 1) - gap)), gap)

    def middle(self, width: float, height: float) -> Rect:
        """Return a rectangle of at most this size in the centre of this one, to the next step of the grid."""
        w, h = min(width, self.w), min(height, self.h)
        return Rect(self.x + on_grid((self.w - w) / 2), self.y + on_grid((self.h - h) / 2), w, h)
