"""Headings in whole degrees, and rectangular bases along one, in integers.

Degrees run counter-clockwise from the direction of greater x. Only multiples of `STEP` are known: people at a table
tell no finer ones apart, and a short table of sines is the same on every machine.
"""

from __future__ import annotations

from typing import Final

from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point, divide

STEP: Final = 5
ANGLES: Final = tuple(range(0, 360, STEP))
UNIT: Final = 10_000
_SINES: Final = (
    *(0, 872, 1_736, 2_588, 3_420, 4_226, 5_000, 5_736, 6_428, 7_071),
    *(7_660, 8_192, 8_660, 9_063, 9_397, 9_659, 9_848, 9_962, 10_000),
)
"""The sines of 0 to 90 degrees, `STEP` apart, times `UNIT`."""

SIDES: Final = {"front": 0, "left": 90, "rear": 180, "right": 270}
"""The sides of a rectangle, by their angle from its heading."""


def heading(degrees: int) -> Point:
    """Return the direction of a heading, `UNIT` long. ValueError unless it is a multiple of `STEP`."""
    steps, rest = divmod(degrees % 360, STEP)
    if rest:
        raise ValueError(f"{degrees} degrees is no multiple of {STEP}")
    return _DIRECTIONS[steps]


def nearest_heading(degrees: int) -> int:
    """Return the known heading nearest to any whole degrees."""
    return (degrees + STEP // 2) // STEP * STEP % 360


def heading_to(start: Point, goal: Point) -> int:
    """Return the known heading nearest to the direction of a place, of equals the lowest; 0 to the same place."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    along = [x * dx + y * dy for x, y in _DIRECTIONS]
    return ANGLES[along.index(max(along))]


def ahead(at: Point, degrees: int, distance: int) -> Point:
    """Return the place so far from `at` in a direction, each coordinate rounded to the nearest hundredth."""
    x, y = heading(degrees)
    return at[0] + divide(x * distance, UNIT), at[1] + divide(y * distance, UNIT)


def rectangle(at: Point, degrees: int, back: int, front: int, width: int) -> Outline:
    """Return the corners, counter-clockwise, of a rectangle along a heading: from `back` behind a place to `front`
    before it, half its width to each side."""
    x, y = heading(degrees)
    corners = ((-back, -width), (front, -width), (front, width), (-back, width))
    return tuple(
        [
            (
                at[0] + divide(2 * along * x - aside * y, 2 * UNIT),
                at[1] + divide(2 * along * y + aside * x, 2 * UNIT),
            )
            for along, aside in corners
        ]
    )


def side_middle(at: Point, degrees: int, length: int, width: int, side: str) -> Point:
    """Return the middle of a side of a rectangular base. KeyError for a side that is none of `SIDES`."""
    turned = SIDES[side]
    return ahead(at, (degrees + turned) % 360, (length if turned % 180 == 0 else width) // 2)


def _sine(degrees: int) -> int:
    quarter, place = divmod(degrees % 360 // STEP, 18)
    value = _SINES[18 - place] if quarter % 2 else _SINES[place]
    return -value if quarter > 1 else value


_DIRECTIONS: Final = tuple([(_sine(degrees + 90), _sine(degrees)) for degrees in ANGLES])
"""The direction of each of `ANGLES`."""
