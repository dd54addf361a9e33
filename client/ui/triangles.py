"""Shapes in window pixels as triangles: six numbers a corner, its place and its colour.

Edges fade over one pixel by geometry, so that pictures are smooth on every machine, multisampling or not.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from arcade.earclip import earclip

from client.ui.theme import Colour

Spot = tuple[float, float]
Tone = tuple[float, float, float, float]
SOFT = 0.6
LONGEST_MITER = 2.5


def filled(points: Sequence[Spot], colour: Colour) -> array[float]:
    """Return the triangles of a convex polygon, corners in either direction."""
    if len(points) < 3:
        return array("f")
    corners = list(points) if _area(points) > 0 else list(reversed(points))
    full, none = _tones(colour)
    normals = _normals(corners, closed=True)
    inner = [(x - nx * SOFT, y - ny * SOFT) for (x, y), (nx, ny) in zip(corners, normals, strict=True)]
    outer = [(x + nx * SOFT, y + ny * SOFT) for (x, y), (nx, ny) in zip(corners, normals, strict=True)]
    made: list[float] = []
    for i in range(1, len(corners) - 1):
        made += (*inner[0], *full, *inner[i], *full, *inner[i + 1], *full)
    for i in range(len(corners)):
        made += _band(inner[i - 1], inner[i], outer[i - 1], outer[i], full, none)
    return array("f", made)


def region(points: Sequence[Spot], colour: Colour) -> array[float]:
    """Return the triangles of any simple polygon, without soft edges."""
    tone = _tones(colour)[0]
    corners = [spot for triangle in earclip(list(points)) for spot in triangle]
    return array("f", [part for x, y in corners for part in (x, y, *tone)])


def stroked(points: Sequence[Spot], width: float, colour: Colour, *, closed: bool) -> array[float]:
    """Return the triangles of a line through the points, `width` pixels thick."""
    spots = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    if closed and len(spots) > 1 and spots[0] == spots[-1]:
        spots.pop()
    if len(spots) < 2:
        return array("f")
    full, none = _tones(colour)
    normals = _normals(spots, closed=closed)
    half = max(width / 2 - SOFT, 0.0)
    sides = [
        [(x + nx * at, y + ny * at) for (x, y), (nx, ny) in zip(spots, normals, strict=True)]
        for at in (-half - 2 * SOFT, -half, half, half + 2 * SOFT)
    ]
    made: list[float] = []
    for i in range(0 if closed else 1, len(spots)):
        made += _band(sides[1][i - 1], sides[1][i], sides[0][i - 1], sides[0][i], full, none)
        made += _band(sides[1][i - 1], sides[1][i], sides[2][i - 1], sides[2][i], full, full)
        made += _band(sides[2][i - 1], sides[2][i], sides[3][i - 1], sides[3][i], full, none)
    return array("f", made)


def _band(a: Spot, b: Spot, c: Spot, d: Spot, near: Tone, far: Tone) -> tuple[float, ...]:
    """Return two triangles from the edge a, b to the edge c, d."""
    return (*a, *near, *b, *near, *c, *far, *b, *near, *d, *far, *c, *far)


def _tones(colour: Colour) -> tuple[Tone, Tone]:
    """Return the colour as shares of 1, opaque as it is and fully transparent."""
    red, green, blue = colour[0] / 255, colour[1] / 255, colour[2] / 255
    return (red, green, blue, colour[3] / 255), (red, green, blue, 0.0)


def _area(points: Sequence[Spot]) -> float:
    return sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(len(points)))


def _normals(points: Sequence[Spot], *, closed: bool) -> list[Spot]:
    """Return each corner's outward vector (right of the direction), long enough that both edges keep their width."""
    count = len(points)
    edges: list[Spot] = []
    for i in range(count):
        (ax, ay), (bx, by) = points[i], points[(i + 1) % count]
        length = math.hypot(bx - ax, by - ay) or 1.0
        edges.append(((by - ay) / length, (ax - bx) / length))
    result: list[Spot] = []
    for i in range(count):
        before, after = edges[i - 1], edges[i]
        if not closed and i == 0:
            before = after
        if not closed and i == count - 1:
            after = before
        nx, ny = before[0] + after[0], before[1] + after[1]
        length = nx * nx + ny * ny
        if length < 1e-6:
            result.append(after)
            continue
        stretch = min(2 / length, LONGEST_MITER / math.sqrt(length))
        result.append((nx * stretch, ny * stretch))
    return result
