"""Sections of long areas, so that a group in a river leaves it near to its place."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.space.terrain.features import PreparedArea
from engine.space.vectors.points import Point, Segment, divide, floor_sqrt, squared


class AreaSection(msgspec.Struct, frozen=True):
    """A slice of an area, square to its longest diagonal, and the parts of the area's own outline that bound it."""

    number: int
    edges: tuple[Segment, ...]


class _Axis(msgspec.Struct, frozen=True):
    """The longest diagonal of an outline, along which places are measured in whole numbers: `unit` of them a
    hundredth."""

    origin: Point
    end: Point
    dx: int
    dy: int
    unit: int

    def place(self, p: Point) -> int:
        return (p[0] - self.origin[0]) * self.dx + (p[1] - self.origin[1]) * self.dy


def sections(area: PreparedArea, longest: int, piece: int) -> tuple[AreaSection, ...]:
    """Cut an area whose longest diagonal is more than `longest` into slices `piece` long, the last one shorter.

    A shorter area is one section. Cut points are rounded to the nearest hundredth.
    """
    axis, count = _slices(area, longest, piece)
    if count == 1:
        return (AreaSection(0, area.edges),)
    ends = [number * piece * axis.unit for number in range(count)] + [axis.place(axis.end)]
    return tuple([AreaSection(number, _edges_in(area, axis, *ends[number : number + 2])) for number in range(count)])


def section_at(area: PreparedArea, p: Point, longest: int, piece: int) -> int:
    """Return the number of the section that holds a point of the area; a point on a cut is in the earlier one."""
    axis, count = _slices(area, longest, piece)
    return max(0, min(count - 1, (axis.place(p) - 1) // (piece * axis.unit))) if count > 1 else 0


def edges_held(area: PreparedArea, figures: Iterable[Point], longest: int, piece: int) -> tuple[Segment, ...]:
    """Return the edges of those sections of an area that hold one of the figures."""
    held = {section_at(area, p, longest, piece) for p in figures if area.holds(p)}
    return tuple([edge for s in sections(area, longest, piece) if s.number in held for edge in s.edges])


def _slices(area: PreparedArea, longest: int, piece: int) -> tuple[_Axis, int]:
    corners = area.outline
    a, b = max(((a, b) for a in corners for b in corners if a < b), key=lambda pair: (squared(*pair), pair))
    length = floor_sqrt(squared(a, b))
    axis = _Axis(a, b, b[0] - a[0], b[1] - a[1], length)
    return axis, -(-length // piece) if length > longest else 1


def _edges_in(area: PreparedArea, axis: _Axis, low: int, high: int) -> tuple[Segment, ...]:
    cut = [_cut(edge, axis, low, high) for edge in area.edges]
    return tuple([edge for edge in cut if edge is not None])


def _cut(edge: Segment, axis: _Axis, low: int, high: int) -> Segment | None:
    """Return the part of an edge between two places of the axis, None where there is none."""
    (a, b), (start, end) = edge, (axis.place(edge[0]), axis.place(edge[1]))
    if max(start, end) < low or min(start, end) > high:
        return None
    first = _between(a, b, start, end, min(max(start, low), high))
    last = _between(a, b, start, end, min(max(end, low), high))
    return first, last


def _between(a: Point, b: Point, start: int, end: int, place: int) -> Point:
    if start == end or place == start:
        return a
    if place == end:
        return b
    span, along = abs(end - start), abs(place - start)
    return a[0] + divide((b[0] - a[0]) * along, span), a[1] + divide((b[1] - a[1]) * along, span)
