"""A quick test for walled-off places, for searches that try many places, most of them behind some wall."""

from __future__ import annotations

from typing import Final

from engine.space.movement.moves import Way
from engine.space.vectors.points import Point, box_between, floor_sqrt, point_nearer, squared, towards

_CLEAR: Final = 4
"""Hundredths: a place along a path lies up to one and a half beside it."""


def is_walled_off(way: Way, start: Point, end: Point) -> bool:
    """Tell whether a barrier lies so clearly across the way, and the end so far behind it, that `straight_move_fault`
    must find a fault. False decides nothing."""
    length = floor_sqrt(squared(start, end)) - way.beyond - 1
    if length <= 0:
        return False
    before = towards(start, end, length)
    for barrier in way.scenery.barriers_near(box_between(start, before)):
        if not barrier.near(start, 1) and any(_clearly_crosses(start, before, c, d) for c, d in barrier.edges):
            return True
    return False


def is_barred(way: Way, start: Point, end: Point) -> bool:
    """Tell whether no straight move from a start that overlaps no base leads to the end or farther on: a base lies in
    the way, or it is walled off. False decides nothing."""
    if any(point_nearer(base.at, start, end, way.radius + base.radius) for base in way.stopping):
        return True
    return is_walled_off(way, start, end)


def _clearly_crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Tell whether two segments cross, with c, d and b farther from the line of the other than coordinates are ever
    cut: the way on, straight past b, crosses as well at each of its places."""
    ax, ay = a
    cx, cy = c
    dx, dy, ex, ey, fx, fy = b[0] - ax, b[1] - ay, d[0] - cx, d[1] - cy, cx - ax, cy - ay
    c_side = dx * fy - dy * fx
    d_side = c_side + dx * ey - dy * ex
    a_side = ey * fx - ex * fy
    b_side = a_side + ex * dy - ey * dx
    if c_side * d_side >= 0 or a_side * b_side >= 0:
        return False
    clear = _CLEAR * _CLEAR
    is_past_ends = min(c_side * c_side, d_side * d_side) > clear * (dx * dx + dy * dy)
    return is_past_ends and b_side * b_side > clear * (ex * ex + ey * ey)
