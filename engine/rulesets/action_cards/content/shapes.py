"""Places and terrain from TOML by value, lengths in hundredths of an inch."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from engine.core.content.content_schema import hundredths
from engine.rulesets.action_cards.content.schema import Shape, TerrainEntry
from engine.rulesets.action_cards.state.model import Point, Terrain


def point(place: Sequence[int | Decimal]) -> Point:
    """Return a place in hundredths of an inch."""
    return hundredths(place[0]), hundredths(place[1])


def box(sides: Sequence[int | Decimal]) -> tuple[Point, ...]:
    """Return the corners of left, bottom, width, height."""
    left, bottom, width, height = map(hundredths, sides)
    return (left, bottom), (left + width, bottom), (left + width, bottom + height), (left, bottom + height)


def patch(middle: Sequence[int | Decimal]) -> tuple[Point, ...]:
    """Return eight corners around a middle, for woods and the like: x, y, half the width, half the height."""
    x, y, wide, high = map(hundredths, middle)
    near, far = wide * 2 // 5, high * 2 // 5
    right, left = [(wide, -far), (wide, far)], [(-wide, far), (-wide, -far)]
    around = [(-near, -high), (near, -high), *right, (near, high), (-near, high), *left]
    return tuple((x + dx, y + dy) for dx, dy in around)


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
