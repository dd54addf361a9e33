"""Patterns of the seats' bases, so that seats differ in more than colour and shape. Drawn as masks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

SHARE: Final = 0.11
"""Distance of two lines of a pattern, as a share of the base's side."""
Pen = ImageDraw.ImageDraw


def pattern(colour: int, size: tuple[int, int]) -> Image.Image:
    """Return the mask of a palette index's pattern; -1, and each first index, is plain."""
    return _mask(colour % len(_PATTERNS) if colour >= 0 else 0, size)


@lru_cache(maxsize=128)
def _mask(number: int, size: tuple[int, int]) -> Image.Image:
    mask = Image.new("L", size)
    _PATTERNS[number](mask, max(min(size) * SHARE, 2.0))
    return mask


def _plain(mask: Image.Image, step: float) -> None:
    pass


def _across(mask: Image.Image, step: float) -> None:
    _lines(mask, step, 0)


def _upright(mask: Image.Image, step: float) -> None:
    _lines(mask, step, 90)


def _rising(mask: Image.Image, step: float) -> None:
    _lines(mask, step, 45)


def _falling(mask: Image.Image, step: float) -> None:
    _lines(mask, step, -45)


def _checks(mask: Image.Image, step: float) -> None:
    """Fill the squares in which lines across and upright ones differ."""
    one, other = mask.copy(), mask.copy()
    _lines(one, step * 2, 0)
    _lines(other, step * 2, 90)
    mask.paste(ImageChops.difference(one, other))


def _lattice(mask: Image.Image, step: float) -> None:
    one, other = mask.copy(), mask.copy()
    _lines(one, step * 1.6, 45, 0.3)
    _lines(other, step * 1.6, -45, 0.3)
    mask.paste(ImageChops.lighter(one, other))


def _dots(mask: Image.Image, step: float) -> None:
    pen, r = ImageDraw.Draw(mask), step * 0.36
    for row in range(int(mask.height / step) + 2):
        for column in range(int(mask.width / step) + 2):
            x, y = (column + row % 2 / 2) * step, row * step * 0.87
            pen.ellipse((x - r, y - r, x + r, y + r), fill=255)


def _lines(mask: Image.Image, step: float, turn: float, share: float = 0.5) -> None:
    """Draw parallel lines, each `share` of their distance wide."""
    reach = int(max(mask.size) * 1.5)
    drawn = Image.new("L", (reach, reach))
    pen = ImageDraw.Draw(drawn)
    for number in range(int(reach / step) + 1):
        pen.rectangle((0, number * step, reach, number * step + step * share - 1), fill=255)
    turned = drawn.rotate(turn, Image.Resampling.BILINEAR)
    left, top = (reach - mask.width) // 2, (reach - mask.height) // 2
    mask.paste(turned.crop((left, top, left + mask.width, top + mask.height)))


_PATTERNS: Final[tuple[Callable[[Image.Image, float], None], ...]] = (
    _plain,
    _across,
    _rising,
    _dots,
    _upright,
    _checks,
    _falling,
    _lattice,
)
