"""Woods, scrub, hedges, crops and tall grass."""

from __future__ import annotations

import math
from typing import Final

from PIL import Image, ImageDraw

from client.draw.board.terrain.canvas import Canvas, Spot
from client.draw.board.terrain.textures import BLACK, WHITE, grain, soft, times, within
from client.ui import theme
from client.ui.theme import Colour

LIGHT: Final[Colour] = (214, 224, 138, 255)
"""Colour of leaves in the sun."""


def woods(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a canopy of crowns over a dark floor."""
    sheet.lay(theme.mixed(edge, sheet.ground, 0.3), times(soft(sheet.mask, sheet.inch * 0.06), 0.85))
    sheet.edge(edge, 0.05, 0.8)
    crowns = [(spot, sheet.dice.uniform(0.34, 0.6) * sheet.inch) for spot in sheet.strewn(0.68)]
    _crowns(sheet, crowns, fill, 0.3)


def scrub(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint low bushes, singly and in clumps, over dry grass."""
    sheet.texture(fill, times(soft(sheet.mask, sheet.inch * 0.05), 0.8), 0.14, 0.5)
    _tufts(sheet, theme.mixed(fill, LIGHT, 0.4), 0.22)
    sheet.edge(edge, 0.04, 0.75)
    bushes = [(spot, sheet.dice.uniform(0.09, 0.24) * sheet.inch) for spot in sheet.strewn(0.46)]
    _crowns(sheet, bushes, theme.mixed(fill, edge, 0.55), 0.1)


def hedge(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a hedge: a row of bushes, trimmed."""
    strip = sheet.strip(sheet.spots, 0.34)
    sheet.shadow(strip, 0.2)
    sheet.lay(edge, strip)
    row = [((x, y), sheet.dice.uniform(0.14, 0.2) * sheet.inch) for x, y, _, _ in sheet.along(0.2)]
    _crowns(sheet, row, fill, 0.06)


def crops(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint rows of grain along the field's longest side."""
    sheet.texture(fill, sheet.mask, 0.14, 0.7)
    rows = Image.new("L", sheet.size)
    pen, turn, step = ImageDraw.Draw(rows), _longest(sheet.spots), 0.2 * sheet.inch
    middle, reach = (sheet.size[0] / 2, sheet.size[1] / 2), math.hypot(*sheet.size)
    dx, dy = math.cos(turn), math.sin(turn)
    for number in range(-int(reach / step), int(reach / step)):
        x, y = middle[0] - dy * number * step, middle[1] + dx * number * step
        ends = (x - dx * reach, y - dy * reach, x + dx * reach, y + dy * reach)
        pen.line(ends, fill=255, width=max(round(step * 0.42), 1))
    sheet.lay(theme.mixed(edge, BLACK, 0.12), within(times(rows, 0.5), sheet.mask))
    sheet.lay(theme.mixed(fill, WHITE, 0.5), times(within(grain(sheet.size, sheet.seed), sheet.mask), 0.12))
    sheet.edge(edge, 0.06, 0.8)


def tall_grass(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint grass that stands higher than the ground's."""
    sheet.texture(fill, times(soft(sheet.mask, sheet.inch * 0.1), 0.7), 0.12, 0.6)
    _tufts(sheet, theme.mixed(fill, edge, 0.6), 0.26)
    _tufts(sheet, theme.mixed(fill, LIGHT, 0.4), 0.3)


def _tufts(sheet: Canvas, colour: Colour, step: float) -> None:
    """Paint blades of grass in threes."""
    high = 0.13 * sheet.inch
    for x, y in sheet.strewn(step, 0.5):
        for lean in (-0.5, 0.1, 0.6):
            sheet.pen.line((x, y, x + lean * high, y - high * sheet.dice.uniform(0.7, 1.2)), fill=colour, width=1)


def _crowns(sheet: Canvas, crowns: list[tuple[Spot, float]], fill: Colour, height: float) -> None:
    """Paint round crowns, each lit from the upper left, with the shadow of them all beneath."""
    cast = Image.new("L", sheet.size)
    pen = ImageDraw.Draw(cast)
    for (x, y), r in crowns:
        pen.ellipse((x - r, y - r, x + r, y + r), fill=255)
    sheet.shadow(cast, height, 0.55)
    for (x, y), r in crowns:
        tone = theme.mixed(fill, LIGHT if sheet.dice.random() < 0.5 else BLACK, sheet.dice.uniform(0, 0.16))
        sheet.pen.polygon(sheet.blob((x, y), r, 13, 0.13), fill=theme.mixed(tone, BLACK, 0.42))
        sheet.pen.polygon(sheet.blob((x - r * 0.1, y - r * 0.1), r * 0.84, 12, 0.14), fill=tone)
        sheet.pen.polygon(
            sheet.blob((x - r * 0.22, y - r * 0.24), r * 0.5, 9, 0.2), fill=theme.mixed(tone, LIGHT, 0.22)
        )
        for _ in range(4 if r > 0.25 * sheet.inch else 1):
            turn, far = sheet.dice.uniform(0, math.tau), sheet.dice.uniform(0, 0.42) * r
            dot = max(r * 0.1, 0.8)
            dab = (x - r * 0.2 + far * math.cos(turn), y - r * 0.22 + far * math.sin(turn))
            box = (dab[0] - dot, dab[1] - dot, dab[0] + dot, dab[1] + dot)
            sheet.pen.ellipse(box, fill=theme.mixed(tone, LIGHT, 0.5))


def _longest(spots: list[Spot]) -> float:
    """Return the direction of an outline's longest side."""
    ax, ay, bx, by = max(
        ((*a, *b) for a, b in zip(spots, [*spots[1:], spots[0]], strict=True)),
        key=lambda ends: math.hypot(ends[2] - ends[0], ends[3] - ends[1]),
    )
    return math.atan2(by - ay, bx - ax)
