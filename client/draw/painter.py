"""Filled and stroked shapes in window pixels, gathered into one batch of triangles with soft edges.

Edges fade over one pixel by geometry, so that pictures are smooth on every machine, multisampling or not.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import lru_cache

import arcade
from arcade.earclip import earclip
from arcade.gl import BufferDescription

from client.layout import Rect
from client.theme import Colour

Spot = tuple[float, float]
SOFT = 0.6
LONGEST_MITER = 2.5

VERTEX = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
in vec2 in_pos;
in vec4 in_colour;
out vec4 colour;
void main() { colour = in_colour; gl_Position = window.projection * window.view * vec4(in_pos, 0.0, 1.0); }
"""
FRAGMENT = """
#version 330
in vec4 colour;
out vec4 result;
void main() { result = colour; }
"""


class Painter:
    """Collects shapes; `draw` sends them in one call, in the order they were made."""

    def __init__(self, context: arcade.ArcadeContext) -> None:
        self.context = context
        self.program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self.data = array("f")
        self.buffer = context.buffer(reserve=6 * 4 * 1024)
        self.geometry = self._geometry()
        self.fresh = False

    def _geometry(self) -> arcade.gl.Geometry:
        layout = BufferDescription(self.buffer, "2f 4f", ["in_pos", "in_colour"])
        return self.context.geometry([layout], mode=self.context.TRIANGLES)

    def clear(self) -> None:
        self.data = array("f")
        self.fresh = False

    def draw(self) -> None:
        """Draw all shapes into the active framebuffer."""
        if not self.data:
            return
        if not self.fresh:
            size = len(self.data) * 4
            if size > self.buffer.size:
                self.buffer.orphan(size * 2)
            self.buffer.write(self.data.tobytes())
            self.fresh = True
        self.context.enable(self.context.BLEND)
        self.context.blend_func = self.context.BLEND_DEFAULT
        self.geometry.render(self.program, vertices=len(self.data) // 6)

    def _triangles(self, points: Sequence[Spot], tones: Sequence[tuple[float, ...]]) -> None:
        for (x, y), tone in zip(points, tones, strict=True):
            self.data.extend((x, y, *tone))
        self.fresh = False

    def fill(self, points: Sequence[Spot], colour: Colour) -> None:
        """A convex polygon, corners in either direction."""
        if len(points) < 3:
            return
        corners = list(points) if _area(points) > 0 else list(reversed(points))
        full, none = _tone(colour), _tone((colour[0], colour[1], colour[2], 0))
        normals = _normals(corners, closed=True)
        inner = [(x - nx * SOFT, y - ny * SOFT) for (x, y), (nx, ny) in zip(corners, normals, strict=True)]
        outer = [(x + nx * SOFT, y + ny * SOFT) for (x, y), (nx, ny) in zip(corners, normals, strict=True)]
        for i in range(1, len(corners) - 1):
            self._triangles((inner[0], inner[i], inner[i + 1]), (full, full, full))
        for i in range(len(corners)):
            self._band(inner[i - 1], inner[i], outer[i - 1], outer[i], full, none)

    def region(self, points: Sequence[Spot], colour: Colour) -> None:
        """Any simple polygon, without soft edges: give it an outline."""
        tone = _tone(colour)
        for triangle in _ears(tuple(points)):
            self._triangles(triangle, (tone, tone, tone))

    def _band(self, a: Spot, b: Spot, c: Spot, d: Spot, near: tuple[float, ...], far: tuple[float, ...]) -> None:
        self._triangles((a, b, c, b, d, c), (near, near, far, near, far, far))

    def stroke(self, points: Sequence[Spot], width: float, colour: Colour, closed: bool = False) -> None:
        """A line through the points, `width` pixels thick."""
        spots = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
        if closed and len(spots) > 1 and spots[0] == spots[-1]:
            spots.pop()
        if len(spots) < 2:
            return
        full, none = _tone(colour), _tone((colour[0], colour[1], colour[2], 0))
        normals = _normals(spots, closed)
        half = max(width / 2 - SOFT, 0.0)
        sides = [
            [(x + nx * at, y + ny * at) for (x, y), (nx, ny) in zip(spots, normals, strict=True)]
            for at in (-half - 2 * SOFT, -half, half, half + 2 * SOFT)
        ]
        for i in range(0 if closed else 1, len(spots)):
            self._band(sides[1][i - 1], sides[1][i], sides[0][i - 1], sides[0][i], full, none)
            self._band(sides[1][i - 1], sides[1][i], sides[2][i - 1], sides[2][i], full, full)
            self._band(sides[2][i - 1], sides[2][i], sides[3][i - 1], sides[3][i], full, none)

    def dashes(self, start: Spot, end: Spot, width: float, colour: Colour, dash: float = 8) -> None:
        """A dashed straight line; at most 200 dashes."""
        length = math.dist(start, end)
        count = min(max(int(length / (2 * dash)), 1), 200)
        for i in range(count):
            a, b = i / count, (i + 0.5) / count
            self.stroke([_between(start, end, a), _between(start, end, b)], width, colour)

    def rect(self, rect: Rect, colour: Colour, corner: float = 0) -> None:
        """A filled rectangle, its corners rounded by `corner` pixels."""
        self.fill(_rounded(rect, corner), colour)

    def frame(self, rect: Rect, width: float, colour: Colour, corner: float = 0) -> None:
        """A rectangle's outline, inside it."""
        self.stroke(_rounded(rect.inset(width / 2), corner), width, colour, closed=True)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self.fill(circle(x, y, radius), colour)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        self.stroke(circle(x, y, radius), width, colour, closed=True)


@lru_cache(maxsize=256)
def _ears(points: tuple[Spot, ...]) -> list[tuple[Spot, ...]]:
    """A polygon in triangles; remembered, since a hint stays the same while the mouse moves."""
    return [tuple((p[0], p[1]) for p in triangle) for triangle in earclip([(x, y) for x, y in points])]


def circle(x: float, y: float, radius: float) -> list[Spot]:
    """Corners of a circle, as many as its size in pixels needs."""
    count = min(max(int(radius * 1.6), 12), 96)
    turn = 2 * math.pi / count
    return [(x + radius * math.cos(i * turn), y + radius * math.sin(i * turn)) for i in range(count)]


def _tone(colour: Colour) -> tuple[float, ...]:
    return (colour[0] / 255, colour[1] / 255, colour[2] / 255, colour[3] / 255)


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _area(points: Sequence[Spot]) -> float:
    return sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(len(points)))


def _normals(points: Sequence[Spot], closed: bool) -> list[Spot]:
    """For each corner the way outwards (right of the direction), long enough that both edges keep their width."""
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


def _rounded(rect: Rect, corner: float) -> list[Spot]:
    corner = min(corner, rect.w / 2, rect.h / 2)
    if corner < 1:
        return [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.top), (rect.x, rect.top)]
    middles = (
        (rect.right - corner, rect.y + corner, -90),
        (rect.right - corner, rect.top - corner, 0),
        (rect.x + corner, rect.top - corner, 90),
        (rect.x + corner, rect.y + corner, 180),
    )
    return [
        (x + corner * math.cos(math.radians(start + step)), y + corner * math.sin(math.radians(start + step)))
        for x, y, start in middles
        for step in (0, 22.5, 45, 67.5, 90)
    ]
