"""Checks of terrain that a schema cannot make: kinds that exist, outlines that are simple and on the table, doors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from engine.core.content.content_files import ContentFault
from engine.core.content.toml_source import Loc
from engine.kit.terrain.shapes import PlaceEntry
from engine.space.vectors.hulls import edges_of
from engine.space.vectors.outlines import Outline, checked, nearest_on_edges
from engine.space.vectors.points import Point, box_of, within

AT_DOOR: Final = 10
"""A door is at most so far from the outline of its building, in hundredths."""


def on_table(outline: Sequence[Point], size: Point) -> bool:
    """Tell whether all of an outline is on a table of that size."""
    left, bottom, right, top = box_of(outline)
    return left >= 0 and bottom >= 0 and right <= size[0] and top <= size[1]


def outline_faults(loc: Loc, outline: Outline, *, line: bool) -> Iterator[ContentFault]:
    """Yield the fault of corners that are no simple polygon, or of a line that stands still."""
    if line:
        if any(a == b for a, b in pairwise(outline)):
            yield ContentFault(loc, "names a point twice running")
        return
    try:
        checked(outline)
    except ValueError as fault:
        yield ContentFault(loc, str(fault))


def shape_faults(loc: Loc, shape: PlaceEntry, size: Point, *, line: bool = False) -> Iterator[ContentFault]:
    """Yield the faults of a place on a table of that size."""
    given = [key for key in ("outline", "box", "patch") if getattr(shape, key)]
    if len(given) != 1:
        yield ContentFault(loc, "give the place in one way: outline, box or patch")
        return
    if not on_table(shape.corners, size):
        yield ContentFault((*loc, given[0]), "reaches beyond the table")
    yield from outline_faults((*loc, given[0]), shape.corners, line=line)


def door_faults(loc: Loc, doors: Sequence[Point], outline: Outline) -> Iterator[ContentFault]:
    """Yield a fault for each door that is not on the outline of its building."""
    edges = edges_of(outline)
    for door in doors:
        if not within(door, nearest_on_edges(door, edges), AT_DOOR):
            yield ContentFault((*loc, "doors"), "a door is not on the outline of its building")
