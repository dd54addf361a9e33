"""Water, rivers, swamps."""

from __future__ import annotations

import math

from PIL import Image, ImageChops, ImageDraw

from client.draw.board.terrain.canvas import Canvas, Spot
from client.draw.board.terrain.textures import BLACK, WHITE, noise, soft, times, within
from client.ui import theme
from client.ui.theme import Colour


def water(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint water with its bank, deeper towards the middle, with ripples."""
    inch = sheet.inch
    bank = soft(sheet.mask, inch * 0.14)
    sheet.lay(theme.mixed(sheet.ground, (120, 100, 70, 255), 0.45), times(bank, 1.4))
    pool(sheet, sheet.mask, fill, edge)
    _ripples(sheet, theme.mixed(fill, WHITE, 0.6), 0.75)


def swamp(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint wet ground with pools and reeds."""
    inch = sheet.inch
    sheet.texture(fill, times(soft(sheet.mask, inch * 0.12), 0.92), 0.18, 0.6)
    wet = noise(sheet.size, inch * 0.9, sheet.seed + 5)
    pools = soft(within(wet.point([255 if tone > 150 else 0 for tone in range(256)]), sheet.mask), inch * 0.05)
    pools = pools.point([255 if tone > 128 else 0 for tone in range(256)])
    blue = theme.mixed(fill, (58, 96, 122, 255), 0.75)
    pool(sheet, pools, blue, theme.mixed(edge, BLACK, 0.2))
    sheet.edge(edge, 0.04, 0.7)
    for x, y in sheet.strewn(0.36, 0.5):
        _reed(sheet, (x, y), theme.mixed(fill, (196, 200, 120, 255), 0.5))


def pool(sheet: Canvas, mask: Image.Image, fill: Colour, edge: Colour) -> None:
    """Paint the surface of water inside a mask."""
    inch = sheet.inch
    sheet.lay(theme.mixed(fill, (210, 200, 160, 255), 0.35), mask)
    inner = within(soft(mask, inch * 0.16), mask).point([min(max(tone - 128, 0) * 2, 255) for tone in range(256)])
    sheet.lay(fill, inner)
    deep = within(soft(mask, inch * 0.5), mask).point([min(max(tone - 150, 0) * 3, 255) for tone in range(256)])
    sheet.lay(theme.mixed(fill, edge, 0.7), times(deep, 0.75))
    swell = noise(sheet.size, inch * 0.7, sheet.seed + 3)
    sheet.lay(WHITE, times(within(swell.point([max(tone - 150, 0) for tone in range(256)]), mask), 0.3))
    shift = max(round(inch * 0.09), 1)
    under = ImageChops.subtract(mask, ImageChops.offset(mask, shift, shift))
    sheet.lay(BLACK, times(within(soft(under, shift * 0.6), mask), 0.5))
    far = within(ImageChops.subtract(mask, ImageChops.offset(mask, -shift // 2, -shift // 2)), mask)
    sheet.lay(WHITE, times(far, 0.35))


def _ripples(sheet: Canvas, colour: Colour, step: float) -> None:
    drawn = Image.new("L", sheet.size)
    pen = ImageDraw.Draw(drawn)
    for x, y in sheet.strewn(step, 0.45):
        wide = sheet.dice.uniform(0.14, 0.3) * sheet.inch
        for lift in (0.0, wide * 0.5):
            box = (x - wide + lift, y - wide * 0.35 + lift, x + wide - lift, y + wide * 0.35 + lift)
            pen.arc(box, 200, 340, fill=255, width=max(round(sheet.inch * 0.03), 1))
    sheet.lay(colour, times(within(drawn, sheet.mask), 0.7))


def _reed(sheet: Canvas, at: Spot, colour: Colour) -> None:
    for lean in (-0.35, 0.0, 0.35):
        high = sheet.dice.uniform(0.14, 0.24) * sheet.inch
        end = (at[0] + math.sin(lean) * high, at[1] - math.cos(lean) * high)
        sheet.pen.line((*at, *end), fill=colour, width=max(round(sheet.inch * 0.025), 1))
