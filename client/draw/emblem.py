"""A seat's colour in its shape, for panels."""

from __future__ import annotations

from client.draw.figures import shape_points
from client.ui import theme
from client.ui.painter import Painter


def draw_emblem(painter: Painter, colour: int, x: float, y: float, radius: float, *, faint: bool = False) -> None:
    """A dark disc with the seat's shape in its colour; `colour` -1 is nobody's."""
    tone = theme.seat_colour(colour)
    painter.disc(x, y, radius, theme.INK)
    corners = [(cx, 2 * y - cy) for cx, cy in shape_points(theme.seat_shape(colour), x, y, radius * 0.84)]
    if theme.seat_shape(colour) in ("star", "cross"):
        painter.region(corners, theme.faded(tone, 110 if faint else 255))
    else:
        painter.fill(corners, theme.faded(tone, 110 if faint else 255))
