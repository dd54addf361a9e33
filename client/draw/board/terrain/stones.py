"""Rocks, rubble, rough ground, craters, hills."""

from __future__ import annotations

import math

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from client.draw.board.terrain.canvas import Canvas, Spot
from client.draw.board.terrain.textures import BLACK, WHITE, lit, mottled, noise, relief, soft, times, tones_of, within
from client.ui import theme
from client.ui.theme import Colour

CONTOURS = (150, 190, 225)
"""Heights of a hill's contour lines, of 255."""


def rocks(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint boulders among scree."""
    sheet.texture(theme.mixed(fill, sheet.ground, 0.45), times(soft(sheet.mask, sheet.inch * 0.06), 0.9), 0.16, 0.4)
    sheet.edge(edge, 0.04, 0.8)
    _strew(sheet, fill, 0.4, (0.07, 0.15))
    boulders = [(spot, sheet.dice.uniform(0.3, 0.56) * sheet.inch) for spot in sheet.strewn(0.78)]
    stones(sheet, boulders, fill, 0.2)


def rubble(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint broken masonry: dust, bricks, a few larger pieces."""
    sheet.texture(fill, times(soft(sheet.mask, sheet.inch * 0.06), 0.92), 0.18, 0.35)
    sheet.edge(edge, 0.04, 0.7)
    _strew(sheet, theme.mixed(fill, edge, 0.25), 0.2, (0.04, 0.09))
    _strew(sheet, theme.mixed(fill, WHITE, 0.15), 0.5, (0.1, 0.2))


def broken(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint rough ground: bumps, stones, bare patches."""
    bumps = relief(noise(sheet.size, 0.35 * sheet.inch, sheet.seed), max(round(sheet.inch * 0.04), 1), 0.5)
    surface = lit(mottled(sheet.size, tones_of(fill, 0.16), 0.5 * sheet.inch, sheet.seed), bumps)
    sheet.lay(surface, times(soft(sheet.mask, sheet.inch * 0.1), 0.85))
    sheet.edge(edge, 0.03, 0.6)
    _strew(sheet, theme.mixed(fill, WHITE, 0.2), 0.75, (0.05, 0.12))


def crater(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a hole with a raised rim, and earth thrown out around it."""
    inch = sheet.inch
    rim = ImageChops.subtract(soft(sheet.mask, inch * 0.22), times(soft(sheet.mask, inch * 0.5), 0.8))
    sheet.lay(theme.mixed(fill, WHITE, 0.1), times(soft(sheet.mask, inch * 0.3), 0.55))
    hollow = ImageChops.invert(soft(sheet.mask, inch * 0.28))
    surface = lit(
        mottled(sheet.size, tones_of(fill, 0.16), 0.4 * inch, sheet.seed), relief(hollow, _px(inch, 0.1), 1.2)
    )
    sheet.lay(surface, soft(sheet.mask, inch * 0.05))
    sheet.lay(BLACK, times(within(soft(sheet.mask.filter(ImageFilter.MinFilter(3)), inch * 0.4), sheet.mask), 0.35))
    sheet.lay(theme.mixed(fill, WHITE, 0.45), times(rim, 0.4))
    sheet.edge(edge, 0.05, 0.8)
    _strew(sheet, theme.mixed(fill, edge, 0.3), 0.5, (0.04, 0.09))


def hill(sheet: Canvas, fill: Colour, edge: Colour, *, steep: bool = False) -> None:
    """Paint a rise: lit from the upper left, with contour lines; a steep one is harder lit."""
    inch = sheet.inch
    wide = min(max(x for x, _ in sheet.spots) - min(x for x, _ in sheet.spots),
               max(y for _, y in sheet.spots) - min(y for _, y in sheet.spots))  # fmt: skip
    height = soft(sheet.mask, max(wide * 0.12, 1))
    sheet.shadow(sheet.mask, 0.3, 0.35)
    surface = mottled(sheet.size, tones_of(theme.mixed(fill, sheet.ground, 0.5), 0.1), inch * 0.8, sheet.seed)
    surface = lit(surface, relief(height, _px(inch, 0.25), 0.9 if steep else 0.6))
    sheet.lay(surface, sheet.mask)
    for level in CONTOURS:
        above = height.point([255 if tone > level else 0 for tone in range(256)])
        line = ImageChops.subtract(above, above.filter(ImageFilter.MinFilter(3)))
        sheet.lay(edge, times(within(line.filter(ImageFilter.MaxFilter(3)), sheet.mask), 0.5))
    if steep:
        _hachures(sheet, edge)
    sheet.edge(edge, 0.07, 0.9)


def steep_hill(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a steep rise."""
    hill(sheet, fill, edge, steep=True)


def _hachures(sheet: Canvas, edge: Colour) -> None:
    """Paint short strokes down the slope all round."""
    cx = sum(x for x, _ in sheet.spots) / len(sheet.spots)
    cy = sum(y for _, y in sheet.spots) / len(sheet.spots)
    for x, y, _, _ in sheet.along(0.22, closed=True):
        far = max(math.hypot(cx - x, cy - y), 1.0)
        reach = min(sheet.dice.uniform(0.2, 0.45) * sheet.inch, far)
        end = (x + (cx - x) / far * reach, y + (cy - y) / far * reach)
        sheet.pen.line((x, y, *end), fill=theme.faded(edge, 190), width=max(_px(sheet.inch, 0.03), 1))


def stones(sheet: Canvas, places: list[tuple[Spot, float]], fill: Colour, height: float) -> None:
    """Paint angular stones, each with a lit face, with the shadow of them all beneath."""
    cast = Image.new("L", sheet.size)
    pen = ImageDraw.Draw(cast)
    shapes = [(at, r, sheet.blob(at, r, 7, 0.18)) for at, r in places]
    for _, _, shape in shapes:
        pen.polygon(shape, fill=255)
    sheet.shadow(cast, height, 0.6)
    for (x, y), r, shape in shapes:
        tone = theme.mixed(fill, BLACK if sheet.dice.random() < 0.5 else WHITE, sheet.dice.uniform(0, 0.16))
        sheet.pen.polygon(shape, fill=theme.mixed(tone, BLACK, 0.4))
        face = [(x + (px - x) * 0.76 - r * 0.12, y + (py - y) * 0.76 - r * 0.14) for px, py in shape]
        sheet.pen.polygon(face, fill=tone)
        top = [(x + (px - x) * 0.4 - r * 0.26, y + (py - y) * 0.4 - r * 0.28) for px, py in shape]
        sheet.pen.polygon(top, fill=theme.mixed(tone, WHITE, 0.22))


def _strew(sheet: Canvas, fill: Colour, step: float, radii: tuple[float, float]) -> None:
    places = [(spot, sheet.dice.uniform(*radii) * sheet.inch) for spot in sheet.strewn(step, 0.5)]
    stones(sheet, places, fill, 0.05)


def _px(inch: float, share: float) -> int:
    return max(round(inch * share), 1)
