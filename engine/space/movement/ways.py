"""Ways with bends for many figures: what the ground makes of their lengths, who follows whom, the nearest cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeVar

from engine.space.terrain.features import PreparedArea, PreparedBarrier, Scenery
from engine.space.terrain.stretches import length_inside
from engine.space.vectors.lattice import nearest_place
from engine.space.vectors.paths import path_length
from engine.space.vectors.points import Point, box_around, box_between, boxes_meet

K = TypeVar("K")
COVER_STEP: Final = 25
"""Hundredths between the places at which cover is looked for."""


def ground_cost(
    scenery: Scenery,
    path: Sequence[Point],
    slowed: Callable[[PreparedArea], bool],
    toll: Callable[[PreparedBarrier], int],
) -> int:
    """Return what a path costs, in hundredths: its length, once more each stretch inside an area in which one is
    `slowed` (areas that lie over one another add up), and the toll of each barrier crossed, once for each piece."""
    cost = path_length(path)
    for a, b in pairwise(path):
        box = box_between(a, b)
        cost += sum(length_inside(a, b, area) for area in scenery.areas_near(box) if slowed(area))
        cost += sum(toll(barrier) for barrier in scenery.barriers_near(box) if barrier.crossed_by(a, b))
    return cost


def following(
    lead: Sequence[Point], start: Point, end: Point, is_free: Callable[[Point, Point], bool]
) -> tuple[Point, ...] | None:
    """Return the way of a figure that goes where its lead does: straight, or, where that is barred, by the corners of
    the lead's path; None where that is barred as well. `is_free` judges a straight piece."""
    if is_free(start, end):
        return start, end
    bent = (start, *lead[1:-1], end)
    return bent if len(bent) > 2 and all(is_free(a, b) for a, b in pairwise(bent)) else None


def all_following(
    lead: Sequence[Point], ends: Mapping[K, tuple[Point, Point]], is_free: Callable[[Point, Point], bool]
) -> dict[K, tuple[Point, ...] | None]:
    """Return `following` for each of many figures, given by where they begin and end."""
    return {mover: following(lead, start, end, is_free) for mover, (start, end) in ends.items()}


def nearest_cover(
    start: Point, areas: Iterable[PreparedArea], accepts: Callable[[Point], bool], reach: int, step: int = COVER_STEP
) -> Point | None:
    """Return the accepted place in one of these areas that is nearest to a figure's own, at most `reach` away; None
    without one.

    Places lie `step` apart around the figure's own; of equals the lowest x goes first, then the lowest y. `accepts`
    says the rest: not nearer to the enemy, a free place, a legal way.
    """
    box = box_around(start, reach)
    near = [area for area in areas if boxes_meet(area.box, box)]
    if not near:
        return None
    return nearest_place(start, lambda p: any(area.holds(p) for area in near) and accepts(p), step, reach)
