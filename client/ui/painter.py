"""Filled and stroked shapes in window pixels, gathered into one batch of triangles.

Shapes that were drawn before are kept for a while: to compute them again is slow.
"""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import arcade
from arcade.gl import BufferDescription

from client.ui import theme
from client.ui.layout import Rect
from client.ui.theme import Colour
from client.ui.triangles import Spot, filled, region, stroked

Shape = tuple[str, tuple[Spot, ...], float, Colour]
"""Key of a shape: kind, corners, width, colour."""
Triangles: TypeAlias = "array[float]"
Drawn: TypeAlias = tuple[Shape, Triangles]
MOST_KNOWN: Final = 150
"""Shapes that are kept beside as many as there are in a frame; beyond that those of the frame alone are. A line around
a group has some 8 kB."""

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
    """Batch of shapes; `draw` sends them in one call, in the order they were made."""

    def __init__(self, context: arcade.ArcadeContext) -> None:
        self.context = context
        self.program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self.buffer = context.buffer(reserve=6 * 4 * 1024)
        self.geometry = self._geometry()
        self.shapes: list[Drawn] = []
        """Shapes of this frame in the order in which they lie over each other."""
        self.shapes_before = self.shapes
        self.uploaded: list[Drawn] = []
        self.vertices = 0
        self.known: dict[Shape, Drawn] = {}

    def _geometry(self) -> arcade.gl.Geometry:
        layout = BufferDescription(self.buffer, "2f 4f", ["in_pos", "in_colour"])
        return self.context.geometry([layout], mode=self.context.TRIANGLES)

    def clear(self) -> None:
        """Begin a new frame."""
        if len(self.known) > len(self.shapes) + MOST_KNOWN:
            self.known = {shape[0]: shape for shape in self.shapes}
        self.shapes, self.shapes_before = [], self.shapes

    def has_changed(self) -> bool:
        """Return True if the shapes are others than those before the last `clear`."""
        return not _same(self.shapes, self.shapes_before)

    def draw(self) -> None:
        """Draw all shapes into the active framebuffer."""
        if not self.shapes:
            return
        self.upload()
        self.context.enable(self.context.BLEND)
        self.context.blend_func = self.context.BLEND_DEFAULT
        self.render()

    def upload(self) -> None:
        """Hand the shapes to the graphics card, if they have changed."""
        if not _same(self.shapes, self.uploaded):
            data = b"".join(triangles for _, triangles in self.shapes)
            if len(data) > self.buffer.size:
                self.buffer.orphan(len(data) * 2)
            self.buffer.write(data)
            self.uploaded, self.vertices = self.shapes, len(data) // (6 * 4)

    def render(self) -> None:
        """Draw what was uploaded, blended as the context is set."""
        self.geometry.render(self.program, vertices=self.vertices)

    def _add(self, key: Shape, make: Callable[[], Triangles]) -> None:
        shape = self.known.get(key)
        if shape is None:
            shape = self.known[key] = key, make()
        self.shapes.append(shape)

    def fill(self, points: Sequence[Spot], colour: Colour) -> None:
        """Fill a convex polygon, corners in either direction."""
        corners = tuple(points)
        self._add(("fill", corners, 0, colour), lambda: filled(corners, colour))

    def region(self, points: Sequence[Spot], colour: Colour) -> None:
        """Fill any simple polygon, without soft edges: give it an outline."""
        corners = tuple(points)
        self._add(("region", corners, 0, colour), lambda: region(corners, colour))

    def stroke(self, points: Sequence[Spot], width: float, colour: Colour, *, closed: bool = False) -> None:
        """Draw a line through the points, `width` pixels thick."""
        spots = tuple(points)
        key = ("closed" if closed else "open", spots, width, colour)
        self._add(key, lambda: stroked(spots, width, colour, closed=closed))

    def cased(self, points: Sequence[Spot], width: float, colour: Colour, *, closed: bool = False) -> None:
        """Draw a line with a dark edge on both sides, to be seen on every ground."""
        self.stroke(points, width + 2, theme.CASING, closed=closed)
        self.stroke(points, width, colour, closed=closed)

    def dashes(self, start: Spot, end: Spot, width: float, colour: Colour, dash: float = 8) -> None:
        """Draw a dashed straight line of at most 200 dashes."""
        count = min(max(int(math.dist(start, end) / (2 * dash)), 1), 200)
        self._add((f"dashes {count}", (start, end), width, colour), lambda: _dashed(start, end, width, colour, count))

    def rect(self, rect: Rect, colour: Colour, corner: float = 0) -> None:
        """Fill a rectangle, its corners rounded by `corner` pixels."""
        self.fill(_rounded(rect, corner), colour)

    def frame(self, rect: Rect, width: float, colour: Colour, corner: float = 0) -> None:
        """Draw a rectangle's outline, inside it."""
        self.stroke(_rounded(rect.inset(width / 2), corner), width, colour, closed=True)

    def box(self, rect: Rect, colour: Colour, width: float, edge: Colour, corner: float = 0) -> None:
        """Draw a rectangle with an edge of `width` pixels."""
        self.rect(rect, colour, corner)
        self.frame(rect, width, edge, corner)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self._add(("disc", ((x, y),), radius, colour), lambda: filled(circle(x, y, radius), colour))

    def cased_disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a disc with a dark edge around it."""
        self.disc(x, y, radius + 1, theme.CASING)
        self.disc(x, y, radius, colour)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        self.stroke(circle(x, y, radius), width, colour, closed=True)

    def cased_ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        """Draw a ring with a dark edge on both sides."""
        self.cased(circle(x, y, radius), width, colour, closed=True)


def _same(one: list[Drawn], other: list[Drawn]) -> bool:
    """Return True if two frames have the same shapes: those that are known are the same objects."""
    return len(one) == len(other) and all(map(operator.is_, one, other))


def circle(x: float, y: float, radius: float) -> list[Spot]:
    """Return the corners of a circle, as many as its size in pixels needs."""
    count = min(max(int(radius * 1.6), 12), 96)
    return [(x + radius * across, y + radius * up) for across, up in _directions(count)]


@lru_cache(maxsize=128)
def _directions(count: int) -> tuple[Spot, ...]:
    turn = 2 * math.pi / count
    return tuple((math.cos(i * turn), math.sin(i * turn)) for i in range(count))


def _dashed(start: Spot, end: Spot, width: float, colour: Colour, count: int) -> array[float]:
    """Return the triangles of so many dashes."""
    made = array("f")
    for i in range(count):
        ends = _between(start, end, i / count), _between(start, end, (i + 0.5) / count)
        made.extend(stroked(ends, width, colour, closed=False))
    return made


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


@lru_cache(maxsize=1024)
def _rounded(rect: Rect, corner: float) -> tuple[Spot, ...]:
    corner = min(corner, rect.w / 2, rect.h / 2)
    if corner < 1:
        return ((rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.top), (rect.x, rect.top))
    middles = (
        (rect.right - corner, rect.y + corner, -90),
        (rect.right - corner, rect.top - corner, 0),
        (rect.x + corner, rect.top - corner, 90),
        (rect.x + corner, rect.y + corner, 180),
    )
    return tuple(
        [
            (x + corner * math.cos(math.radians(start + step)), y + corner * math.sin(math.radians(start + step)))
            for x, y, start in middles
            for step in (0, 22.5, 45, 67.5, 90)
        ]
    )
