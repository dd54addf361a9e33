"""Arcs and quarters around a place with a heading; their borders belong to both sides."""

from __future__ import annotations

from typing import Final

from engine.space.vectors.headings import SIDES, heading
from engine.space.vectors.points import Point

_FULL: Final = 360


def quarters(at: Point, facing: int, p: Point) -> tuple[str, ...]:
    """Return the sides (as of `SIDES`) in whose quarter of 90 degrees a point lies: two on the border of two, in the
    order of `SIDES`; all four at the place itself."""
    x, y = heading(facing)
    dx, dy = p[0] - at[0], p[1] - at[1]
    ahead, left = x * dx + y * dy, x * dy - y * dx
    far = {"front": ahead, "left": left, "rear": -ahead, "right": -left}
    most = max(far.values())
    return tuple([side for side in SIDES if far[side] == most])


def in_arc(at: Point, facing: int, width: int, p: Point) -> bool:
    """Tell whether a point lies in an arc so many degrees wide, half to each side of a heading; the place itself does.

    ValueError unless half the width is a multiple of 5, from 0 to 180.
    """
    if width % 2 or not 0 <= width <= _FULL:
        raise ValueError(f"an arc of {width} degrees")
    dx, dy = p[0] - at[0], p[1] - at[1]
    (rx, ry), (lx, ly) = heading(facing - width // 2), heading(facing + width // 2)
    if (dx == 0 and dy == 0) or width == _FULL:
        return True
    from_right, to_left = rx * dy - ry * dx, dx * ly - dy * lx
    if width <= _FULL // 2:
        x, y = heading(facing)
        return from_right >= 0 and to_left >= 0 and x * dx + y * dy >= 0
    return from_right >= 0 or to_left >= 0
