"""Arcs and quarters: borders, and every answer beside that of a slow sum over single sectors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.vectors.arcs import in_arc, quarters
from engine.space.vectors.headings import ANGLES, SIDES, STEP, heading
from engine.space.vectors.points import Point, cross

spots = st.tuples(st.integers(-400, 400), st.integers(-400, 400))


def sectors_of(p: Point) -> set[int]:
    """Return the closed sectors, one step wide each, that hold a point, by their right border."""
    return {
        angle
        for angle in ANGLES
        if cross((0, 0), heading(angle), p) >= 0 and cross((0, 0), p, heading(angle + STEP)) >= 0
        if heading(angle)[0] * p[0] + heading(angle)[1] * p[1] >= 0
    }


def test_borders_belong_to_both_quarters() -> None:
    assert quarters((0, 0), 0, (100, 99)) == ("front",)
    assert quarters((0, 0), 0, (100, 100)) == ("front", "left")
    assert quarters((0, 0), 0, (-100, -100)) == ("rear", "right")
    assert quarters((50, 50), 90, (50, 400)) == ("front",)
    assert quarters((50, 50), 90, (50, 50)) == tuple(SIDES)


def test_the_borders_of_an_arc_belong_to_it() -> None:
    assert in_arc((0, 0), 0, 90, (100, 100))
    assert not in_arc((0, 0), 0, 90, (100, 101))
    assert in_arc((0, 0), 0, 180, (0, -5))
    assert not in_arc((0, 0), 0, 180, (-1, 5))
    assert in_arc((0, 0), 0, 0, (7, 0))
    assert not in_arc((0, 0), 0, 0, (-7, 0))
    assert in_arc((3, 3), 45, 10, (3, 3))


@pytest.mark.parametrize("width", [-10, 45, 370, 94])
def test_other_widths_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match="degrees"):
        in_arc((0, 0), 0, width, (1, 1))


@given(spots, st.sampled_from(ANGLES), st.integers(0, 36), spots)
@settings(max_examples=300, deadline=None)
def test_an_arc_is_the_sum_of_its_sectors(at: Point, facing: int, tens: int, by: Point) -> None:
    width, half = tens * 10, tens * 5
    inside = {(facing - half + n) % 360 for n in range(0, width, STEP)}
    on_ray = cross((0, 0), heading(facing), by) == 0 and heading(facing)[0] * by[0] + heading(facing)[1] * by[1] >= 0
    expected = by == (0, 0) or bool(sectors_of(by) & inside) if width else on_ray
    assert in_arc(at, facing, width, (at[0] + by[0], at[1] + by[1])) is expected


@given(spots, st.sampled_from(ANGLES), spots)
@settings(max_examples=200, deadline=None)
def test_a_quarter_is_the_arc_around_its_side(at: Point, facing: int, p: Point) -> None:
    expected = tuple([side for side, turn in SIDES.items() if in_arc(at, (facing + turn) % 360, 90, p)])
    assert quarters(at, facing, p) == expected
