"""Walls, barricades, fences, wire; roads, trenches and minefields."""

from __future__ import annotations

import math

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from client.draw.board.terrain.canvas import Canvas
from client.draw.board.terrain.textures import BLACK, WHITE, soft, times, within
from client.ui import theme
from client.ui.theme import Colour

WARNING: Colour = (196, 58, 44, 255)


def wall(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a wall of dressed stones."""
    _masonry(sheet, fill, edge, 0.4, 0.3)


def low_wall(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a wall that one can lean on."""
    _masonry(sheet, fill, edge, 0.32, 0.14)


def _masonry(sheet: Canvas, fill: Colour, edge: Colour, width: float, height: float) -> None:
    whole = sheet.strip(sheet.spots, width)
    sheet.shadow(whole, height, 0.6)
    sheet.lay(edge, whole)
    sheet.lay(fill, sheet.strip(sheet.spots, width * 0.72))
    wide = width * 0.36 * sheet.inch
    for x, y, dx, dy in sheet.along(0.34):
        sheet.pen.line((x - dy * wide, y + dx * wide, x + dy * wide, y - dx * wide), fill=edge, width=_px(sheet, 0.03))
    ridge(sheet, whole, 0.06)


def ridge(sheet: Canvas, mask: Image.Image, width: float) -> None:
    """Light the upper left edges of something raised, and shade its lower right ones."""
    shift = _px(sheet, width)
    lit = ImageChops.subtract(mask, ImageChops.offset(mask, shift, shift))
    dark = ImageChops.subtract(mask, ImageChops.offset(mask, -shift, -shift))
    sheet.lay(WHITE, times(lit, 0.45))
    sheet.lay(BLACK, times(dark, 0.35))


def barricade(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint two rows of sandbags."""
    sand = theme.mixed(fill, (190, 162, 110, 255), 0.7)
    sheet.shadow(sheet.strip(sheet.spots, 0.36), 0.16, 0.6)
    for side, tone in ((0.11, theme.mixed(sand, BLACK, 0.16)), (-0.09, sand)):
        for x, y, dx, dy in sheet.along(0.34):
            at = (x - dy * side * sheet.inch, y + dx * side * sheet.inch)
            _bag(sheet, at, math.atan2(dy, dx), theme.mixed(tone, WHITE, sheet.dice.uniform(0, 0.14)), edge)


def _bag(sheet: Canvas, at: tuple[float, float], turn: float, tone: Colour, edge: Colour) -> None:
    for share, fill in ((1.0, edge), (0.84, tone), (0.42, theme.mixed(tone, WHITE, 0.28))):
        long, wide = 0.2 * share * sheet.inch, 0.12 * share * sheet.inch
        lift = (1 - share) * 0.05 * sheet.inch
        shape = [
            (
                at[0] + long * math.cos(a) * math.cos(turn) - wide * math.sin(a) * math.sin(turn) - lift,
                at[1] + long * math.cos(a) * math.sin(turn) + wide * math.sin(a) * math.cos(turn) - lift,
            )
            for a in (math.tau * i / 14 for i in range(14))
        ]
        sheet.pen.polygon(shape, fill=fill)


def fence(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint posts with two rails."""
    sheet.shadow(sheet.strip(sheet.spots, 0.1), 0.22, 0.5)
    for side in (-0.07, 0.07):
        shift = side * sheet.inch
        for tone, width in ((edge, 0.09), (fill, 0.05)):
            sheet.lay(tone, ImageChops.offset(sheet.strip(sheet.spots, width), round(shift), round(shift)))
    for x, y, _, _ in sheet.along(0.8):
        r = 0.12 * sheet.inch
        sheet.pen.ellipse((x - r, y - r, x + r, y + r), fill=edge)
        sheet.pen.ellipse((x - r * 0.8, y - r * 0.8, x + r * 0.45, y + r * 0.45), fill=theme.mixed(fill, WHITE, 0.2))


def wire(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint coils of barbed wire between posts."""
    sheet.shadow(sheet.strip(sheet.spots, 0.16), 0.1, 0.3)
    radius, width = 0.15 * sheet.inch, _px(sheet, 0.035)
    for x, y, _, _ in sheet.along(0.17):
        sheet.pen.ellipse((x - radius + 1, y - radius + 1, x + radius + 1, y + radius + 1), outline=edge, width=width)
        sheet.pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=fill, width=width)
    for x, y, dx, dy in sheet.along(1.0):
        a, b = (dx - dy) * radius * 1.3, (dy + dx) * radius * 1.3
        for ends in ((x - a, y - b, x + a, y + b), (x - b, y + a, x + b, y - a)):
            sheet.pen.line(ends, fill=edge, width=_px(sheet, 0.07))


def road(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a trodden surface with worn edges and two ruts."""
    sheet.texture(theme.mixed(fill, sheet.ground, 0.25), soft(sheet.mask, sheet.inch * 0.08), 0.09, 0.5)
    inner = sheet.mask
    for _ in range(max(round(sheet.inch * 0.16), 1)):
        inner = inner.filter(ImageFilter.MinFilter(5))
    track = ImageChops.subtract(inner, inner.filter(ImageFilter.MinFilter(5)))
    sheet.lay(edge, times(soft(track, sheet.inch * 0.05), 1.1))
    sheet.lay(edge, times(soft(sheet.strip(sheet.spots, 0.06, closed=True), sheet.inch * 0.04), 0.55))


def trench(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a dug way with boards, earth thrown up on its sides."""
    inch = sheet.inch
    spoil = soft(sheet.strip(sheet.spots, 0.4, closed=True), inch * 0.07)
    sheet.lay(theme.mixed(fill, WHITE, 0.22), times(spoil, 0.9))
    sheet.lay(theme.mixed(fill, BLACK, 0.35), sheet.mask)
    shift = _px(sheet, 0.16)
    dark = within(ImageChops.subtract(sheet.mask, ImageChops.offset(sheet.mask, shift, shift)), sheet.mask)
    for x, y in sheet.strewn(0.3, 0.1):
        box = (x - inch * 0.13, y - inch * 0.05, x + inch * 0.13, y + inch * 0.05)
        sheet.pen.rectangle(box, fill=theme.mixed(fill, (150, 116, 76, 255), 0.6))
    sheet.lay(BLACK, times(soft(dark, shift * 0.4), 0.7))
    sheet.edge(edge, 0.07)


def minefield(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint disturbed earth with mines, inside a line of warning signs."""
    inch = sheet.inch
    sheet.texture(theme.mixed(fill, sheet.ground, 0.3), times(soft(sheet.mask, inch * 0.15), 0.7), 0.16, 0.45)
    for x, y in sheet.strewn(1.0):
        r = 0.15 * inch
        sheet.pen.ellipse((x - r * 1.7, y - r * 1.5, x + r * 1.7, y + r * 1.7), fill=theme.mixed(fill, BLACK, 0.25))
        sheet.pen.ellipse((x - r, y - r, x + r, y + r), fill=(44, 46, 44, 255))
        sheet.pen.ellipse((x - r * 0.6, y - r * 0.7, x + r * 0.3, y + r * 0.2), fill=(96, 100, 94, 255))
    for x, y, _, _ in sheet.along(0.9, closed=True):
        r = 0.2 * inch
        for size, tone in ((1.0, theme.mixed(WARNING, BLACK, 0.5)), (0.8, theme.PAPER), (0.5, WARNING)):
            sheet.pen.polygon(
                [(x, y - r * size), (x + r * size, y + r * size * 0.8), (x - r * size, y + r * size * 0.8)], fill=tone
            )
    sheet.lay(edge, times(_dashes(sheet), 0.9))


def _dashes(sheet: Canvas) -> Image.Image:
    mask = Image.new("L", sheet.size)
    pen = ImageDraw.Draw(mask)
    for number, (x, y, dx, dy) in enumerate(sheet.along(0.22, closed=True)):
        if number % 2:
            far = 0.1 * sheet.inch
            pen.line((x - dx * far, y - dy * far, x + dx * far, y + dy * far), fill=255, width=_px(sheet, 0.06))
    return mask


def _px(sheet: Canvas, share: float) -> int:
    return max(round(sheet.inch * share), 1)
