"""Headings and rectangles along them: sines, sides, rounding."""

from __future__ import annotations

from math import cos, radians, sin

import pytest
from hypothesis import given, strategies as st

from engine.space.vectors.headings import (
    ANGLES,
    UNIT,
    ahead,
    heading,
    heading_to,
    nearest_heading,
    rectangle,
    side_middle,
)
from engine.space.vectors.outlines import doubled_area
from engine.space.vectors.points import Point


def test_each_direction_is_the_rounded_one() -> None:
    assert len(ANGLES) == 72
    for degrees in ANGLES:
        angle = radians(degrees)
        assert heading(degrees) == (round(UNIT * cos(angle)), round(UNIT * sin(angle)))
    assert heading(-90) == heading(270)
    assert heading(365) == heading(5)


@pytest.mark.parametrize("degrees", [1, 44, -3])
def test_a_finer_direction_is_refused(degrees: int) -> None:
    with pytest.raises(ValueError, match="no multiple of 5"):
        heading(degrees)


def test_the_nearest_direction() -> None:
    assert [nearest_heading(degrees) for degrees in (0, 2, 3, 7, 8, 357, 358, -2, -3, 725)] == [
        *(0, 0, 5, 5, 10),
        *(355, 0, 0, 355, 5),
    ]


def test_the_direction_of_a_place_is_the_nearest_that_is_known() -> None:
    assert [heading_to((10, 10), goal) for goal in ((90, 10), (10, 90), (-70, 10), (10, -70))] == [0, 90, 180, 270]
    assert heading_to((0, 0), ahead((0, 0), 35, 10_000)) == 35
    assert heading_to((0, 0), (1000, 30)) == 0
    assert heading_to((0, 0), (1000, 60)) == 5
    assert heading_to((5, 5), (5, 5)) == 0


def test_a_place_ahead_is_rounded_to_the_nearest() -> None:
    assert ahead((1000, 1000), 0, 250) == (1250, 1000)
    assert ahead((0, 0), 30, 100) == (87, 50)
    assert ahead((0, 0), 210, 1) == (-1, 0), "a half goes up"
    assert ahead((5, 5), 45, 0) == (5, 5)


def test_a_rectangle_lies_along_its_heading() -> None:
    assert rectangle((100, 100), 0, 10, 20, 8) == ((90, 96), (120, 96), (120, 104), (90, 104))
    assert rectangle((100, 100), 90, 10, 20, 8) == ((104, 90), (104, 120), (96, 120), (96, 90))
    assert rectangle((0, 0), 0, 10, 20, 7) == ((-10, -3), (20, -3), (20, 4), (-10, 4)), "half of 7 goes up"


@given(
    st.tuples(st.integers(0, 900), st.integers(0, 900)), st.sampled_from(ANGLES), st.integers(5, 300), st.integers(5, 9)
)
def test_a_rectangle_is_counter_clockwise_and_of_its_size(at: Point, degrees: int, front: int, width: int) -> None:
    area = doubled_area(rectangle(at, degrees, 10, front, width))
    around = 2 * (10 + front + width)
    assert abs(area - 2 * (10 + front) * width) <= 2 * around, "corners are a hundredth off at most"
    assert area > 0


def test_the_middles_of_sides_turn_with_the_base() -> None:
    sides = ("front", "left", "rear", "right")
    assert [side_middle((0, 0), 0, 300, 100, side) for side in sides] == [(150, 0), (0, 50), (-150, 0), (0, -50)]
    assert [side_middle((0, 0), 270, 300, 100, side) for side in sides] == [(0, -150), (50, 0), (0, 150), (-50, 0)]
    with pytest.raises(KeyError, match="top"):
        side_middle((0, 0), 0, 300, 100, "top")
