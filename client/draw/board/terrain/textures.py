"""Noise, relief and colour: what all painters of terrain are made of. Images are L masks or RGB."""

from __future__ import annotations

import random
from typing import Final

from PIL import Image, ImageChops, ImageFilter, ImageOps

from client.ui import theme
from client.ui.theme import Colour

Size = tuple[int, int]
BLACK: Final[Colour] = (0, 0, 0, 255)
WHITE: Final[Colour] = (255, 255, 255, 255)


def noise(size: Size, cell: float, seed: int) -> Image.Image:
    """Return smooth noise with humps about `cell` pixels wide."""
    columns, rows = (max(int(side / max(cell, 1)) + 3, 3) for side in size)
    grid = Image.frombytes("L", (columns, rows), random.Random(seed).randbytes(columns * rows))
    return grid.resize(size, Image.Resampling.BICUBIC)


def grain(size: Size, seed: int) -> Image.Image:
    """Return noise of single pixels; a tile that repeats, as nobody sees it do so."""
    side = 256
    tile = Image.frombytes("L", (side, side), random.Random(seed).randbytes(side * side))
    sheet = Image.new("L", size)
    for x in range(0, size[0], side):
        for y in range(0, size[1], side):
            sheet.paste(tile, (x, y))
    return sheet


def mottled(size: Size, tones: tuple[Colour, Colour, Colour], cell: float, seed: int) -> Image.Image:
    """Return a surface that passes between three tones in humps of two sizes, with some grain."""
    humps = Image.blend(noise(size, cell, seed), noise(size, cell / 3.7, seed + 1), 0.35)
    humps = Image.blend(humps, grain(size, seed + 2), 0.22)
    low, middle, high = (tone[:3] for tone in tones)
    return ImageOps.colorize(ImageOps.autocontrast(humps, cutoff=1), low, high, middle)


def tones_of(colour: Colour, spread: float) -> tuple[Colour, Colour, Colour]:
    """Return a darker tone of a colour, itself, and a lighter one."""
    return theme.mixed(colour, BLACK, spread), colour, theme.mixed(colour, WHITE, spread * 0.8)


def relief(height: Image.Image, step: int, strength: float) -> Image.Image:
    """Return the light on a surface of this height, 128 where it is level: slopes to the upper left are bright."""
    near, far = (ImageChops.offset(height, shift, shift) for shift in (-step, step))
    return ImageChops.subtract(near, far, 1 / max(strength, 0.01), 128)


def lit(surface: Image.Image, light: Image.Image) -> Image.Image:
    """Return a surface under a light as `relief` gives it."""
    return ImageChops.overlay(surface, Image.merge("RGB", (light, light, light)))


def soft(mask: Image.Image, radius: float) -> Image.Image:
    """Return a mask with blurred edges."""
    return mask.filter(ImageFilter.GaussianBlur(radius))


def times(mask: Image.Image, share: float) -> Image.Image:
    """Return a mask of a share of its opacity."""
    return mask.point([min(round(tone * share), 255) for tone in range(256)])


def within(mask: Image.Image, other: Image.Image) -> Image.Image:
    """Return what two masks have in common."""
    return ImageChops.multiply(mask, other)
