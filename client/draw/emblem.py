"""Emblem of a seat: its shape in its colour."""

from __future__ import annotations

import math

from client.ui import theme
from client.ui.painter import Painter


def draw_emblem(painter: Painter, colour: int, x: float, y: float, radius: float, *, faint: bool = False) -> None:
    """Draw a dark disc with the seat's shape in its colour; `colour` -1 is nobody's."""
    tone = theme.seat_colour(colour)
    painter.disc(x, y, radius, theme.INK)
    corners = [(cx, 2 * y - cy) for cx, cy in shape_points(theme.seat_shape(colour), x, y, radius * 0.84)]
    if theme.seat_shape(colour) in ("star", "cross"):
        painter.region(corners, theme.faded(tone, 110 if faint else 255))
    else:
        painter.fill(corners, theme.faded(tone, 110 if faint else 255))


def shape_points(shape: str, x: float, y: float, r: float) -> list[tuple[float, float]]:
    """Return the corners of a seat's shape around a centre, y downwards as in pictures."""
    match shape:
        case "square":
            return polygon_corners(x, y, r, 4, 45)
        case "triangle":
            return polygon_corners(x, y + r * 0.1, r * 1.05, 3, -90)
        case "diamond":
            return polygon_corners(x, y, r * 1.05, 4, 0)
        case "pentagon":
            return polygon_corners(x, y, r, 5, -90)
        case "hexagon":
            return polygon_corners(x, y, r, 6, 0)
        case "star":
            outer, inner = polygon_corners(x, y, r * 1.08, 5, -90), polygon_corners(x, y, r * 0.5, 5, -54)
            return [corner for pair in zip(outer, inner, strict=True) for corner in pair]
        case "cross":
            a, b = r * 0.36, r * 1.0
            steps = ((-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a))
            return [(x + dx, y + dy) for dx, dy in (*steps, (-a, -a))]
        case _:
            return polygon_corners(x, y, r * 0.95, 40, 0)


def polygon_corners(x: float, y: float, r: float, count: int, start: float) -> list[tuple[float, float]]:
    """Return the corners of a regular polygon, the first at the angle `start` in degrees."""
    angles = (math.radians(start + 360 * i / count) for i in range(count))
    return [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]
