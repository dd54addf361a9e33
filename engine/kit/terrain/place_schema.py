"""Places on a table as TOML gives them: outlines, boxes and patches in the system's unit; read, all are outlines in
hundredths of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Inches, Key, Place, WrittenAs
from engine.space.vectors.outlines import Outline, octagon, outline_of


def _box(sides: Sequence[int]) -> Outline:
    left, bottom, width, height = sides
    return outline_of((left, bottom, left + width, bottom + height))


def _patch(middle: Sequence[int]) -> Outline:
    x, y, wide, high = middle
    return octagon((x, y), wide, high)


def _shape(written: Sequence[Any]) -> Outline:
    return _box(written) if isinstance(written[0], int) else tuple(written)


_Four = Annotated[list[Inches], Field(min_length=4, max_length=4)]
Corners = Annotated[Outline, WrittenAs(Annotated[list[Place], Field(min_length=2, max_length=64)], tuple)]
"""Corners of an outline, or points of a line."""
Shape = Annotated[Outline, WrittenAs(_Four | Annotated[list[Place], Field(min_length=2, max_length=64)], _shape)]
"""Corners of an outline, points of a line, or the four numbers of a box: left, bottom, width, height."""
BoxCorners = Annotated[Outline, WrittenAs(_Four, _box)]
"""Corners of a box: left, bottom, width, height."""
PatchCorners = Annotated[Outline, WrittenAs(_Four, _patch)]
"""Corners of an eight-cornered patch: x and y of the middle, half the width, half the height."""


class PlaceEntry(Entry):
    """A place on the table, in one of three ways."""

    outline: Corners = ()
    box: BoxCorners = ()
    patch: PatchCorners = ()

    @property
    def corners(self) -> Outline:
        """The corners, however they are given; none where they are not."""
        return self.outline or self.box or self.patch


class FeatureEntry(PlaceEntry):
    """A piece of terrain of some kind, with the doors of a building."""

    id: Id
    kind: Id
    name: Key
    doors: list[Place] = []


class ZoneEntry(PlaceEntry):
    """A marked area."""

    id: Id
    name: Key
