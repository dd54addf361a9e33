"""Width of text, measured from the client's own font file, so that layout needs no window."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from PIL import ImageFont

LIBERATION = "system/fonts/ttf/Liberation"


def font_file(*, bold: bool = False) -> Path:
    """Return the path of the font that draws all text; arcade carries it, so that no system font is needed."""
    name = "Liberation_Sans_Bold.ttf" if bold else "Liberation_Sans_Regular.ttf"
    return Path(str(files("arcade.resources"))) / LIBERATION / name


@lru_cache(maxsize=32)
def font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font at `size` pixels."""
    return ImageFont.truetype(str(font_file(bold=bold)), size)


@lru_cache(maxsize=4096)
def width(text: str, size: int, *, bold: bool = False) -> float:
    """Return the width in pixels of one line."""
    # the toolkit rounds each letter to whole pixels, hence a little room to spare
    return font(size, bold=bold).getlength(text) * 1.02


@lru_cache(maxsize=2048)
def clip(text: str, size: int, room: int, *, bold: bool = False) -> str:
    """Return the text, or as much of it as fits in `room` pixels with an ellipsis at its end."""
    if width(text, size, bold=bold) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", size, bold=bold) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


@lru_cache(maxsize=2048)
def wrap(text: str, size: int, room: int, *, bold: bool = False) -> tuple[str, ...]:
    """Break text into lines of at most `room` pixels; a word that is too long is broken too."""
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in paragraph.split(" "):
            candidate = f"{line} {word}" if line else word
            if width(candidate, size, bold=bold) <= room:
                line = candidate
                continue
            if line:
                lines.append(line)
            line = word
            while line and width(line, size, bold=bold) > room:
                cut = _fitting(line, size, room, bold=bold)
                lines.append(line[:cut])
                line = line[cut:]
        lines.append(line)
    return tuple(lines)


def _fitting(word: str, size: int, room: int, *, bold: bool) -> int:
    """Return the number of characters of `word` that fit; at least one, so that breaking always ends."""
    cut = len(word) - 1
    while cut > 1 and width(word[:cut], size, bold=bold) > room:
        cut -= 1
    return max(cut, 1)
