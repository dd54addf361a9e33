"""Houses with roofs and walls, bunkers, ruins, vehicles that stand about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from client.draw.board.terrain.canvas import Canvas, Spot
from client.draw.board.terrain.stones import stones
from client.draw.board.terrain.strips import ridge
from client.draw.board.terrain.textures import BLACK, WHITE, soft, times, within
from client.ui import theme
from client.ui.theme import Colour

WALL: Final = 0.3
"""Thickness of walls, in inches."""
WOOD: Final[Colour] = (122, 82, 46, 255)


def house(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint walls with a door and windows, and inside them a tiled roof; one that is no quadrangle is flat."""
    _walls(sheet, fill, edge, 0.5)
    roof = inset(sheet.spots, WALL * sheet.inch)
    if len(roof) == 4:
        _hipped(sheet, roof, fill, edge)
    else:
        _flat(sheet, roof, theme.mixed(fill, WHITE, 0.1), edge)
    _openings(sheet, edge)


def hut(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a thatched roof with its ridge."""
    sheet.shadow(sheet.mask, 0.4, 0.6)
    roof = sheet.spots
    if len(roof) == 4:
        _hipped(sheet, roof, fill, edge, thatch=True)
    else:
        _flat(sheet, roof, fill, edge)
    sheet.edge(edge, 0.07)


def block(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a flat roof behind a parapet."""
    _walls(sheet, theme.mixed(fill, WHITE, 0.12), edge, 0.6)
    roof = inset(sheet.spots, WALL * sheet.inch)
    _flat(sheet, roof, theme.mixed(fill, BLACK, 0.12), edge)
    _openings(sheet, edge)


def bunker(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint thick concrete with slits, heaped with earth."""
    inch = sheet.inch
    sheet.lay(theme.mixed(sheet.ground, BLACK, 0.22), times(soft(sheet.mask, inch * 0.3), 1.3))
    _walls(sheet, theme.mixed(fill, WHITE, 0.18), edge, 0.35)
    roof = inset(sheet.spots, 0.55 * inch)
    _flat(sheet, roof, fill, edge)
    ridge(sheet, sheet.area(roof), 0.08)
    for a, b in _sides(sheet.spots):
        _opening(sheet, a, b, 0.5, 0.36, theme.mixed(edge, BLACK, 0.7), 0.14)


def ruins(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a floor full of rubble inside walls of which pieces are gone."""
    inch = sheet.inch
    sheet.texture(theme.mixed(fill, edge, 0.3), sheet.mask, 0.18, 0.4)
    for step, low, high in ((0.36, 0.04, 0.09), (1.1, 0.1, 0.22)):
        stones(sheet, [(spot, sheet.dice.uniform(low, high) * inch) for spot in sheet.strewn(step, 0.5)], fill, 0.06)
    ring = ImageChops.subtract(sheet.mask, sheet.area(inset(sheet.spots, WALL * inch)))
    gaps = Image.new("L", sheet.size, 255)
    pen = ImageDraw.Draw(gaps)
    for x, y, _, _ in sheet.along(0.9, closed=True):
        if sheet.dice.random() < 0.3:
            pen.polygon(sheet.blob((x, y), sheet.dice.uniform(0.3, 0.55) * inch, 9, 0.3), fill=0)
    walls = within(ring, gaps)
    sheet.shadow(walls, 0.35, 0.6)
    sheet.lay(edge, walls)
    sheet.lay(theme.mixed(fill, WHITE, 0.2), within(walls, sheet.area(inset(sheet.spots, 0.05 * inch))))
    ridge(sheet, walls, 0.06)
    sheet.edge(edge, 0.04, 0.7)


def vehicle(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint something on wheels, seen from above: bonnet, cabin, bed."""
    _hull(sheet, fill, edge, theme.mixed(fill, WHITE, 0.25), (70, 92, 108, 255))


def wreck(sheet: Canvas, fill: Colour, edge: Colour) -> None:
    """Paint a burnt-out hull in a patch of soot."""
    sheet.lay(BLACK, times(soft(sheet.mask, sheet.inch * 0.3), 0.7))
    _hull(sheet, fill, edge, theme.mixed(fill, (132, 74, 40, 255), 0.45), (22, 22, 22, 255))
    for x, y in sheet.strewn(0.5, 0.5):
        r = sheet.dice.uniform(0.05, 0.18) * sheet.inch
        tone = (138, 78, 40, 255) if sheet.dice.random() < 0.5 else (20, 18, 18, 255)
        sheet.pen.polygon(sheet.blob((x, y), r, 8, 0.35), fill=tone)


def _walls(sheet: Canvas, fill: Colour, edge: Colour, height: float) -> None:
    """Paint walls from above, with the shadow of the whole house."""
    sheet.shadow(sheet.mask, height, 0.6)
    sheet.lay(theme.mixed(fill, WHITE, 0.2), sheet.mask)
    ridge(sheet, sheet.mask, 0.09)
    sheet.edge(edge, 0.06)


def _hipped(sheet: Canvas, roof: Sequence[Spot], fill: Colour, edge: Colour, *, thatch: bool = False) -> None:
    """Paint a roof of four slopes, each in the light that falls on it, with rows of tiles or straws."""
    if math.dist(roof[0], roof[1]) < math.dist(roof[1], roof[2]):
        roof = [*roof[1:], roof[0]]
    a, b, c, d = roof  # a to b and c to d are the long eaves
    left, right = _middle(a, d), _middle(b, c)
    short, long = math.dist(a, d), max(math.dist(left, right), 1.0)
    share = min(short / long / 2, 0.5)
    first, last = _between(left, right, share), _between(right, left, share)
    slopes = ((a, b, last, first), (b, c, last), (c, d, first, last), (d, a, first))
    for slope in slopes:
        light = _light(slope[0], slope[1], roof)
        tone = theme.mixed(fill, WHITE if light > 0 else BLACK, abs(light) * 0.4)
        mask = sheet.area(slope)
        sheet.texture(tone, mask, 0.1, 0.4)
        _rows(sheet, slope, mask, theme.mixed(tone, BLACK, 0.3), 0.1 if thatch else 0.16, upright=thatch)
    for ends in ((first, last), (a, first), (d, first), (b, last), (c, last)):
        sheet.lay(theme.mixed(fill, WHITE, 0.34), times(sheet.strip(ends, 0.05), 0.9))
    sheet.lay(edge, sheet.strip(roof, 0.05, closed=True))


def _rows(sheet: Canvas, slope: Sequence[Spot], mask: Image.Image, tone: Colour, step: float, *, upright: bool) -> None:
    """Paint rows along a slope's eaves, or straws down from them."""
    (ax, ay), (bx, by) = slope[:2]
    length = max(math.hypot(bx - ax, by - ay), 1.0)
    dx, dy = (bx - ax) / length, (by - ay) / length
    cx, cy = sum(x for x, _ in slope) / len(slope), sum(y for _, y in slope) / len(slope)
    side = 1 if (cx - ax) * -dy + (cy - ay) * dx > 0 else -1
    lines = Image.new("L", sheet.size)
    pen, gap = ImageDraw.Draw(lines), max(step * sheet.inch, 2.0)
    for number in range(1, int(2 * length / gap) + 1):
        if upright:
            x, y = ax + dx * (number * gap - length / 2), ay + dy * (number * gap - length / 2)
            pen.line((x, y, x - dy * side * length, y + dx * side * length), fill=160, width=1)
        else:
            x, y = ax - dy * side * number * gap, ay + dx * side * number * gap
            ends = (x - dx * length, y - dy * length, x + dx * 2 * length, y + dy * 2 * length)
            pen.line(ends, fill=200, width=max(round(gap * 0.2), 1))
    sheet.lay(tone, within(lines, mask))


def _flat(sheet: Canvas, roof: Sequence[Spot], fill: Colour, edge: Colour) -> None:
    """Paint a flat roof that lies lower than the walls around it."""
    mask = sheet.area(roof)
    sheet.texture(fill, mask, 0.08, 0.6)
    shift = max(round(0.16 * sheet.inch), 1)
    dark = within(ImageChops.subtract(mask, ImageChops.offset(mask, shift, shift)), mask)
    sheet.lay(BLACK, times(soft(dark, shift * 0.3), 0.5))
    sheet.lay(edge, times(sheet.strip(roof, 0.05, closed=True), 0.8))
    cx, cy = sum(x for x, _ in roof) / len(roof), sum(y for _, y in roof) / len(roof)
    half = 0.28 * sheet.inch
    vent = [(cx - half, cy - half), (cx + half, cy - half), (cx + half, cy + half), (cx - half, cy + half)]
    lid = within(sheet.area(vent), mask)
    sheet.shadow(lid, 0.12, 0.5)
    sheet.lay(theme.mixed(fill, WHITE, 0.22), lid)
    ridge(sheet, lid, 0.05)


def _openings(sheet: Canvas, edge: Colour) -> None:
    """Paint a door in the longest wall, and windows in all long ones."""
    sides = _sides(sheet.spots)
    door = max(sides, key=lambda ends: math.dist(*ends))
    for a, b in sides:
        length = math.dist(a, b) / sheet.inch
        if (a, b) == door:
            _opening(sheet, a, b, 0.5, 0.6, WOOD, WALL)
        shares = (0.22, 0.78) if length > 2.4 or (a, b) == door else (0.5,)
        for share in shares if length > 1.4 else ():
            _opening(sheet, a, b, share, 0.34, theme.mixed((120, 156, 178, 255), edge, 0.25), WALL * 0.5)


def _opening(sheet: Canvas, a: Spot, b: Spot, share: float, width: float, tone: Colour, deep: float) -> None:
    """Paint a door or window in the wall from `a` to `b`."""
    length = max(math.dist(a, b), 1.0)
    dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = _between(a, b, share)
    cx = sum(px for px, _ in sheet.spots) / len(sheet.spots)
    cy = sum(py for _, py in sheet.spots) / len(sheet.spots)
    side = 1 if (cx - x) * -dy + (cy - y) * dx > 0 else -1
    half, far = width / 2 * sheet.inch, deep * sheet.inch
    inwards = (-dy * side * far, dx * side * far)
    shape = [
        (x - dx * half, y - dy * half),
        (x + dx * half, y + dy * half),
        (x + dx * half + inwards[0], y + dy * half + inwards[1]),
        (x - dx * half + inwards[0], y - dy * half + inwards[1]),
    ]
    sheet.pen.polygon(shape, fill=tone, outline=theme.mixed(tone, BLACK, 0.6))


def _hull(sheet: Canvas, fill: Colour, edge: Colour, cabin: Colour, glass: Colour) -> None:
    sheet.shadow(sheet.mask, 0.3, 0.6)
    sheet.lay(edge, sheet.mask)
    sheet.lay(fill, sheet.area(inset(sheet.spots, 0.07 * sheet.inch)))
    ridge(sheet, sheet.mask, 0.07)
    if len(sheet.spots) != 4:
        return
    spots = sheet.spots
    if math.dist(spots[0], spots[1]) < math.dist(spots[1], spots[2]):
        spots = [*spots[1:], spots[0]]
    a, b, c, d = spots
    for start, end, narrow, tone in ((0.08, 0.42, 0.16, theme.mixed(fill, BLACK, 0.25)), (0.5, 0.76, 0.1, cabin)):
        sheet.lay(tone, sheet.area(_part(a, b, c, d, start, end, narrow)))
    for start, end in ((0.5, 0.55), (0.72, 0.77)):
        sheet.lay(glass, sheet.area(_part(a, b, c, d, start, end, 0.14)))


def _part(a: Spot, b: Spot, c: Spot, d: Spot, start: float, end: float, narrow: float) -> list[Spot]:
    """Return a part of a quadrangle: from one share of its length to another, so much narrower on each side."""
    corners = []
    for along, across in ((start, narrow), (end, narrow), (end, 1 - narrow), (start, 1 - narrow)):
        corners.append(_between(_between(a, b, along), _between(d, c, along), across))
    return corners


def inset(spots: Sequence[Spot], by: float) -> list[Spot]:
    """Return an outline moved inwards by so many pixels, corner by corner; for convex ones and nearly so."""
    area = sum(ax * by_ - bx * ay for (ax, ay), (bx, by_) in _sides(spots))
    turn = 1 if area > 0 else -1
    moved: list[Spot] = []
    for i, (x, y) in enumerate(spots):
        (px, py), (nx, ny) = spots[i - 1], spots[(i + 1) % len(spots)]
        one, other = _normal((px, py), (x, y), turn), _normal((x, y), (nx, ny), turn)
        sx, sy = one[0] + other[0], one[1] + other[1]
        length = max(sx * sx + sy * sy, 0.5)
        moved.append((x + sx * 2 * by / length, y + sy * 2 * by / length))
    return moved


def _normal(a: Spot, b: Spot, turn: int) -> Spot:
    length = math.dist(a, b) or 1.0
    return (-(b[1] - a[1]) / length * turn, (b[0] - a[0]) / length * turn)


def _sides(spots: Sequence[Spot]) -> list[tuple[Spot, Spot]]:
    return list(zip(spots, [*spots[1:], spots[0]], strict=True))


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _middle(a: Spot, b: Spot) -> Spot:
    return _between(a, b, 0.5)


def _light(a: Spot, b: Spot, roof: Sequence[Spot]) -> float:
    """Return the light on the slope over the eave from `a` to `b`: 1 where it faces the upper left, -1 opposite."""
    x, y = _middle(a, b)
    cx, cy = sum(px for px, _ in roof) / len(roof), sum(py for _, py in roof) / len(roof)
    far = math.hypot(x - cx, y - cy) or 1.0
    return -((x - cx) + (y - cy)) / far / math.sqrt(2)
