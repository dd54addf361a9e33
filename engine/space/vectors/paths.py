"""Paths: straight pieces from corner to corner, measured along them in whole hundredths.

The length of each piece is rounded down; the place at a distance is `towards` on its piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from engine.space.vectors.points import Point, floor_sqrt, segments_meet, squared, towards

K = TypeVar("K")


def path_length(path: Sequence[Point]) -> int:
    """Return the length of a path, 0 for a single point."""
    return sum(floor_sqrt(squared(a, b)) for a, b in pairwise(path))


def point_at(path: Sequence[Point], distance: int) -> Point:
    """Return the place so far along a path, its end beyond that. ValueError for a path without points."""
    if not path:
        raise ValueError("a path needs a point")
    for a, b in pairwise(path):
        length = floor_sqrt(squared(a, b))
        if distance < length:
            return towards(a, b, distance)
        distance -= length
    return path[-1]


def path_until(path: Sequence[Point], distance: int) -> tuple[Point, ...]:
    """Return the part of a path up to a distance along it: its corners before that, and the place there."""
    kept = [path[0]]
    for a, b in pairwise(path):
        length = floor_sqrt(squared(a, b))
        if distance <= length:
            return (*kept, towards(a, b, distance))
        kept.append(b)
        distance -= length
    return tuple(kept)


def path_between(path: Sequence[Point], start: int, end: int) -> tuple[Point, ...]:
    """Return the part of a path from one distance along it to another: both places, and the corners between."""
    begun = path_until(path, start)
    return (begun[-1], *path_until(path, end)[len(begun) - 1 :])


def at_share(path: Sequence[Point], part: int, whole: int) -> Point:
    """Return the place at which that share of a path has been covered, the distance rounded down."""
    return path[-1] if part >= whole else point_at(path, path_length(path) * part // whole)


def all_at_share(paths: Mapping[K, Sequence[Point]], part: int, whole: int) -> dict[K, Point]:
    """Return the place of each of many movers when all have covered that share of their paths."""
    return {mover: at_share(path, part, whole) for mover, path in paths.items()}


def breached(line: Sequence[Point], a: Point, b: Point, through: Point, half: int) -> list[tuple[Point, ...]]:
    """Return what is left of a line where a segment from a to b crosses it at a place: without so much to each side."""
    left: list[list[Point]] = [[line[0]]]
    for c, d in pairwise(line):
        if segments_meet(a, b, c, d):
            left[-1].append(towards(through, c, half))
            left.append([towards(through, d, half)])
        left[-1].append(d)
    parts = [tuple(dict.fromkeys(part)) for part in left]
    return [part for part in parts if len(part) > 1]
