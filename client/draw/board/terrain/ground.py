"""The ground of a whole table: mottled by its biome, with marks of it, worn paths, and shade along its edge."""

from __future__ import annotations

import math
import random
from typing import Final

from PIL import Image, ImageDraw

from client.draw.board.terrain.textures import BLACK, WHITE, lit, mottled, noise, relief, soft, times, tones_of
from client.ui import theme
from client.ui.theme import Colour

MOST_MARKS: Final = 6_000
"""Marks on the ground, at most."""
PATHS: Final = 2
Pen = ImageDraw.ImageDraw


def ground(size: tuple[int, int], inch: float, kind: str) -> Image.Image:
    """Paint the ground of a table in RGB. `inch`: pixels of an inch."""
    colour = theme.GROUNDS.get(kind, theme.GROUND_ELSE)
    surface = mottled(size, tones_of(colour, 0.13), inch * 5, 11)
    bumps = relief(noise(size, inch * 1.2, 12), max(round(inch * 0.08), 1), 0.35)
    surface = lit(surface, bumps)
    _tint(surface, colour, inch, kind)
    _paths(surface, colour, inch)
    _marks(surface, colour, inch, kind)
    _rim(surface, inch)
    return surface


def _tint(surface: Image.Image, colour: Colour, inch: float, kind: str) -> None:
    """Lay patches of another growth or earth over the ground."""
    other: Colour = {
        "grass": (138, 128, 82, 255),
        "dirt": (104, 108, 72, 255),
        "sand": (198, 178, 130, 255),
        "snow": (168, 182, 196, 255),
        "stone": (96, 100, 92, 255),
        "salt": (158, 146, 128, 255),
    }.get(kind, colour)
    patches = noise(surface.size, inch * 8, 21).point([max(tone - 120, 0) * 2 for tone in range(128)] + [255] * 128)
    surface.paste(other[:3], (0, 0), times(soft(patches, inch * 0.4), 0.34))


def _paths(surface: Image.Image, colour: Colour, inch: float) -> None:
    """Paint where many have walked: faint, winding lines from edge to edge."""
    dice, (wide, high) = random.Random(_seed(surface)), surface.size
    worn = Image.new("L", surface.size)
    pen = ImageDraw.Draw(worn)
    for number in range(PATHS):
        start, end = dice.uniform(0.2, 0.8), dice.uniform(0.2, 0.8)
        swing, waves = dice.uniform(0.05, 0.12), dice.uniform(1.2, 2.4)
        line = []
        for i in range(65):
            share = i / 64
            aside = start + (end - start) * share + swing * math.sin(math.tau * waves * share)
            line.append((wide * share, high * aside) if number % 2 == 0 else (wide * aside, high * share))
        pen.line(line, fill=255, width=max(round(inch * dice.uniform(0.7, 1.0)), 1), joint="curve")
    ragged = noise(surface.size, inch * 0.8, 31)
    mask = times(soft(worn, inch * 0.3), 0.42)
    surface.paste(
        theme.mixed(colour, (178, 156, 118, 255), 0.6)[:3], (0, 0), Image.composite(mask, times(mask, 0.4), ragged)
    )


def _seed(surface: Image.Image) -> int:
    """Return the seed of a table of this size."""
    return surface.width * 7919 + surface.height


def _marks(surface: Image.Image, colour: Colour, inch: float, kind: str) -> None:
    """Strew small marks: tufts on grass, pebbles elsewhere, joints on paving, ridges on snow, sand and salt."""
    dice, (wide, high) = random.Random(_seed(surface) + 1), surface.size
    pen = ImageDraw.Draw(surface)
    for _ in range(min(int(wide * high / inch / inch * 1.1), MOST_MARKS)):
        x, y = dice.uniform(0, wide), dice.uniform(0, high)
        tone = theme.mixed(colour, BLACK if dice.random() < 0.55 else WHITE, dice.uniform(0.12, 0.3))[:3]
        if kind == "grass" or kind not in theme.GROUNDS:
            for lean in (-0.07, 0.02, 0.09):
                pen.line((x, y, x + lean * inch, y - dice.uniform(0.09, 0.17) * inch), fill=tone, width=1)
        elif kind == "stone":
            _joint(pen, dice, (x, y), inch, tone)
        elif kind in ("snow", "sand", "salt"):
            reach = dice.uniform(0.2, 0.5) * inch
            pen.arc((x - reach, y - reach * 0.4, x + reach, y + reach * 0.4), 190, 350, fill=tone, width=1)
        else:
            r = dice.uniform(0.02, 0.06) * inch
            pen.ellipse((x - r, y - r, x + r, y + r), fill=tone)


def _joint(pen: Pen, dice: random.Random, at: tuple[float, float], inch: float, tone: tuple[int, ...]) -> None:
    """Paint the joint of two paving stones, on the grid of the paving."""
    step = inch * 1.5
    x, y = round(at[0] / step) * step, round(at[1] / step) * step
    ends = (x, y, x + step, y) if dice.random() < 0.5 else (x, y, x, y + step)
    pen.line(ends, fill=tone, width=1)


def _rim(surface: Image.Image, inch: float) -> None:
    """Shade the table towards its edge."""
    inner = Image.new("L", surface.size)
    gap = min(round(inch * 0.35), (min(surface.size) - 1) // 2)
    ImageDraw.Draw(inner).rectangle((gap, gap, surface.width - 1 - gap, surface.height - 1 - gap), fill=255)
    edge = soft(inner, inch * 0.6).point([(255 - tone) * 70 // 255 for tone in range(256)])
    surface.paste((0, 0, 0), (0, 0), edge)
