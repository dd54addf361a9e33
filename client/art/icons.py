"""Silhouettes of the atlas, as masks of any size."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from PIL import Image

from protocol.scene.looks import GLYPHS, ICONS

CELL: Final = 96
"""Pixels a side of an icon in the atlas."""
COLUMNS: Final = 20
ATLAS: Final = "icons.png"
_PLACES: Final = {name: place for place, name in enumerate(name for names in ICONS.values() for name in names)}


def icon(glyph: str, size: int) -> Image.Image | None:
    """Return how much of each pixel the icon of a glyph covers, `size` pixels a side; None of an unknown glyph."""
    name = GLYPHS.get(glyph)
    return None if name is None else _mask(_PLACES[name], size)


@lru_cache(maxsize=1024)
def _mask(place: int, size: int) -> Image.Image:
    row, column = divmod(place, COLUMNS)
    cell: Image.Image = _atlas().crop((column * CELL, row * CELL, (column + 1) * CELL, (row + 1) * CELL))
    return cell if size == CELL else cell.resize((size, size), Image.Resampling.LANCZOS)


@lru_cache(maxsize=1)
def _atlas() -> Image.Image:
    with Image.open(Path(str(files(__package__))) / ATLAS) as image:
        grey: Image.Image = image.convert("L")
        return grey
