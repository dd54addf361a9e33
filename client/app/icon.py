"""The program's icon, drawn from its own colours and shapes: a die on the hexagon of a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pyglet
from PIL import Image, ImageDraw

from client.draw.emblem import shape_points
from client.ui import theme

WINDOW_SIZES: Final = (16, 32, 48, 128)
FILE_SIZE: Final = 512
FORMATS: Final = ("png", "ico", "icns")
"""Suffixes of the pictures for Linux, Windows and macOS."""
_FINER: Final = 4
_PIPS: Final = ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))


def draw_icon(size: int) -> Image.Image:
    """Return the icon in `size` pixels a side, with transparent corners."""
    side = size * _FINER  # drawn finer and made smaller, for smooth edges
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    middle, pip = side / 2, side / 24
    draw.rounded_rectangle((0, 0, side - 1, side - 1), side / 6, fill=theme.BACK)
    draw.polygon(shape_points("hexagon", middle, middle, side * 0.45), fill=theme.SEAT_COLOURS[0])
    draw.rounded_rectangle((side * 0.29, side * 0.29, side * 0.71, side * 0.71), side / 16, fill=theme.PAPER)
    for across, down in _PIPS:
        x, y = middle + across * side * 0.105, middle + down * side * 0.125
        draw.ellipse((x - pip, y - pip, x + pip, y + pip), fill=theme.INK)
    return image.resize((size, size), Image.Resampling.BOX)


def window_icons() -> list[pyglet.image.ImageData]:
    """Return the icon in the sizes that a system may ask a window for."""
    icons = []
    for size in WINDOW_SIZES:
        rows = draw_icon(size).transpose(Image.Transpose.FLIP_TOP_BOTTOM)  # the toolkit counts from the lower left
        icons.append(pyglet.image.ImageData(size, size, "RGBA", rows.tobytes()))
    return icons


def save_icons(folder: Path) -> None:
    """Write the icon as eschaton.png, .ico and .icns into a folder. Raises OSError."""
    picture = draw_icon(FILE_SIZE)
    for suffix in FORMATS:
        picture.save(folder / f"eschaton.{suffix}")
