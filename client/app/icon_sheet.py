"""Program that draws all icons with their names into a PNG file; `eschaton-server content icons` runs it.

It takes the file as its argument, and needs no window.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from client.art.fonts import font_file
from client.art.icons import icon
from client.ui import theme
from protocol.scene.looks import ICONS

COLUMNS: Final = 12
CELL: Final = (100, 74)
"""Pixels across and down for an icon with its name."""
ICON: Final = 44
HEAD: Final = 34
MARGIN: Final = 12
COLOURS: Final = 8


def sheet() -> Image.Image:
    """Draw the icons under what they are about."""
    rows = sum(-(-len(names) // COLUMNS) for names in ICONS.values())
    size = (COLUMNS * CELL[0] + 2 * MARGIN, rows * CELL[1] + len(ICONS) * HEAD + 2 * MARGIN)
    image = Image.new("RGB", size, theme.PANEL[:3])
    pen = ImageDraw.Draw(image)
    head = ImageFont.truetype(str(font_file(bold=True)), 17)
    small = ImageFont.truetype(str(font_file(narrow=True)), 13)
    top = MARGIN
    for about, names in ICONS.items():
        pen.text((MARGIN, top + HEAD / 2), about.capitalize(), theme.TEXT[:3], head, "lm")
        top += HEAD
        for place, name in enumerate(names):
            row, column = divmod(place, COLUMNS)
            left, high = MARGIN + column * CELL[0], top + row * CELL[1]
            image.paste(theme.TEXT[:3], (left + (CELL[0] - ICON) // 2, high), icon(name, ICON))
            _write(pen, name, (left + CELL[0] // 2, high + ICON + 2), small)
        top += -(-len(names) // COLUMNS) * CELL[1]
    return image


def _write(pen: ImageDraw.ImageDraw, name: str, at: tuple[int, int], font: ImageFont.FreeTypeFont) -> None:
    """Write a name, in two lines where it is too long for one."""
    room, words = CELL[0] - 4, name
    if font.getlength(name) > room:
        cuts = [i + 1 for i, letter in enumerate(name) if letter == "-"]
        cut = min(cuts, key=lambda i: abs(i - len(name) / 2), default=len(name))
        words = f"{name[:cut]}\n{name[cut:]}"
    pen.multiline_text(at, words, theme.MUTED[:3], font, "ma", spacing=0, align="center")


def main() -> int:
    """Draw the icons; return the exit status, with a sentence on the error stream where it is not 0."""
    try:
        sheet().quantize(COLOURS).save(Path(sys.argv[1]), "PNG", optimize=True)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
