"""Places and terrain from TOML by value, lengths in hundredths of an inch."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from engine.core.content.content_schema import hundredths
from engine.rulesets.action_cards.content.schema import Shape, TerrainEntry
from engine.rulesets.action_cards.state.model import Point, Terrain
from engine.space.vectors.outlines import octagon, outline_of


def point(place: Sequence[int | Decimal]) -> Point:
    """Return a place in hundredths of an inch."""
    return hundredths(place[0]), hundredths(place[1])


def box(sides: Sequence[int | Decimal]) -> tuple[Point, ...]:
    """Return the corners of left, bottom, width, height."""
    left, bottom, width, height = map(hundredths, sides)
    return outline_of((left, bottom, left + width, bottom + height))


def patch(middle: Sequence[int | Decimal]) -> tuple[Point, ...]:
    """Return the octagon of x, y, half the width, half the height."""
    x, y, wide, high = map(hundredths, middle)
    return octagon((x, y), wide, high)


def terrain_of(id: str, entry: TerrainEntry) -> Terrain:
    """Return a kind of terrain by value."""
    return Terrain(id, **entry.model_dump(exclude={"rule", "rules"}))


def corners(shape: Shape) -> tuple[Point, ...]:
    """Return the outline that a shape gives, in one of its three ways."""
    if shape.box is not None:
        return box(shape.box)
    if shape.patch is not None:
        return patch(shape.patch)
    return tuple(map(point, shape.outline))
