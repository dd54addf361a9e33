"""Width of text, measured from the client's own font files, so that layout needs no window.

`narrow`: in the condensed cut, in which all text of the smallest size is set. Letters that the fonts lack are measured
in the system's font that has them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PIL import ImageFont

from client.art.fonts import font_file
from client.ui.spare_fonts import SpareFont, spare_font

MOST_LETTERS: Final = 2000
"""Letters of one size and cut whose widths are kept."""


@lru_cache(maxsize=64)
def font(size: int, *, bold: bool = False, narrow: bool = False) -> ImageFont.FreeTypeFont:
    """Return the font at `size` pixels."""
    return ImageFont.truetype(str(font_file(bold=bold, narrow=narrow)), size)


@lru_cache(maxsize=64)
def _spare(spare: SpareFont, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(spare.file), size)


class _Advances(dict[str, int]):
    """Width of each letter at one size and cut, in whole pixels as the toolkit sets it, measured as it is asked for."""

    def __init__(self, size: int, *, bold: bool, narrow: bool) -> None:
        super().__init__()
        self._size, self._bold, self._narrow = size, bold, narrow

    def __missing__(self, letter: str) -> int:
        if len(self) > MOST_LETTERS:
            self.clear()
        spare = None if letter.isascii() else spare_font(letter, bold=self._bold, narrow=self._narrow)
        own = font(self._size, bold=self._bold, narrow=self._narrow)
        length = (own if spare is None else _spare(spare, self._size)).getlength(letter)
        found = self[letter] = math.floor(length + 0.5)
        return found


@lru_cache(maxsize=64)
def _advances(size: int, *, bold: bool, narrow: bool) -> _Advances:
    return _Advances(size, bold=bold, narrow=narrow)


@lru_cache(maxsize=4096)
def width(text: str, size: int, *, bold: bool = False, narrow: bool = False) -> float:
    """Return the width in pixels of one line."""
    return sum(map(_advances(size, bold=bold, narrow=narrow).__getitem__, text))


@lru_cache(maxsize=2048)
def clip(text: str, size: int, room: int, *, bold: bool = False, narrow: bool = False) -> str:
    """Return the text, or as much of it as fits in `room` pixels with an ellipsis at its end."""
    if width(text, size, bold=bold, narrow=narrow) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", size, bold=bold, narrow=narrow) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


@lru_cache(maxsize=2048)
def wrap(text: str, size: int, room: int, *, bold: bool = False, narrow: bool = False) -> tuple[str, ...]:
    """Break text into lines of at most `room` pixels; a word that is too long is broken too."""
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in paragraph.split(" "):
            candidate = f"{line} {word}" if line else word
            if width(candidate, size, bold=bold, narrow=narrow) <= room:
                line = candidate
                continue
            if line:
                lines.append(line)
            line = word
            while line and width(line, size, bold=bold, narrow=narrow) > room:
                cut = _fitting(line, size, room, bold=bold, narrow=narrow)
                lines.append(line[:cut])
                line = line[cut:]
        lines.append(line)
    return tuple(lines)


def _fitting(word: str, size: int, room: int, *, bold: bool, narrow: bool) -> int:
    """Return the number of characters of `word` that fit; at least one, so that breaking always ends."""
    cut = len(word) - 1
    while cut > 1 and width(word[:cut], size, bold=bold, narrow=narrow) > room:
        cut -= 1
    return max(cut, 1)
