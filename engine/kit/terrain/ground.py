"""Ground: terrain as content describes it, prepared for movement and sight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from engine.space.terrain.features import Area, Barrier, Scenery, scenery
from engine.space.vectors.points import Point


class LaidFeature(Protocol):
    """A piece of terrain on the table: an outline, or the line of a barrier."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def outline(self) -> tuple[Point, ...]:
        """Its corners, or the points of its line."""


class FeatureKind(Protocol):
    """A kind of terrain. `line`: a barrier without inside; `blocks`: sight to what lies behind it is stopped."""

    @property
    def id(self) -> str:
        """Its id, by which it is drawn."""

    @property
    def line(self) -> bool:
        """True for a barrier."""

    @property
    def blocks(self) -> bool:
        """True where it stops sight."""

    @property
    def impassable(self) -> bool:
        """True where nobody enters."""


def prepared(size: Point, laid: Iterable[tuple[LaidFeature, FeatureKind]]) -> Scenery:
    """Return the scenery of a table of this size with these pieces of terrain, each with its kind."""
    areas: list[Area] = []
    barriers: list[Barrier] = []
    for piece, kind in laid:
        if kind.line:
            barriers.append(Barrier(piece.id, piece.outline, kind.blocks))
        else:
            areas.append(Area(piece.id, piece.outline, kind.blocks, kind.impassable))
    return scenery(*size, areas, barriers)
