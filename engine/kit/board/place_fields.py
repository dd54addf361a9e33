"""Fields of places around a lead, and on the way there."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from engine.core.rules.node_ids import piece_node
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from protocol.scene.fields import Facing, PickPoint, Placement


def reached(field: PickPoint, at: Point, reach: int) -> PickPoint:
    """Return a field of a place anywhere within reach."""
    ring = tuple([along(at, direction, reach) for direction in DIRECTIONS[::2]])
    return replace(field, start=at, reach=reach, regions=(ring,), default=at)


def bend(field: PickPoint, start: Point, end: Point, reach: int) -> PickPoint:
    """Return a field of a bend, by default half way on the straight way, where it changes nothing."""
    middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    return replace(field, start=start, reach=reach, default=middle)


def turned(field: Facing, at: Point, now: int, box: tuple[int, int]) -> Facing:
    """Return a field of any heading of a base of this length and width, by default the one `now`."""
    return replace(field, at=at, angles=ANGLES, default=now, box=box)


def others_at(
    field: Placement, lead: FigureId, at: Point, radius: int, within: int, places: Mapping[FigureId, Point]
) -> Placement:
    """Return a field of the places of all figures of a group but its lead. `radius`: of the lead's base; `within`: the
    farthest from it."""
    default = {piece_node(id): place for id, place in places.items() if id != lead}
    return replace(field, around=at, radius=radius, within=within, pieces=tuple(default), default=default)
