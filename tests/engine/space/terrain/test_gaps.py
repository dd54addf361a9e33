"""Gaps between bases and outlines, rounded up to whole hundredths."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.terrain.contact import Base
from engine.space.terrain.gaps import Shape, outlines_gap, point_gap, shape_gap, shapes_gap
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from tests.support.reference import slow_sight

SQUARE: Outline = ((0, 0), (100, 0), (100, 100), (0, 100))
ELL: Outline = ((0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300))


def moved(outline: Outline, x: int, y: int) -> Outline:
    return tuple([(px + x, py + y) for px, py in outline])


def disc(x: int, y: int, radius: int = 50) -> Base:
    return Base(FigureId("base"), (x, y), radius)


def test_gaps_of_bases_are_rounded_up() -> None:
    assert shape_gap(disc(0, 0), disc(130, 0)) == 30
    assert shape_gap(disc(0, 0), disc(100, 100)) == 42
    assert shape_gap(disc(0, 0), disc(70, 71)) == 0
    assert shape_gap(disc(0, 0), disc(0, 0)) == 0


def test_a_point_is_outside_or_within() -> None:
    assert point_gap((200, 150), ELL) == 50
    assert point_gap((103, 303), ELL) == 5, "4.24, rounded up"
    assert point_gap((9, 2), ((0, 0), (10, -10), (10, 1))) == 2, "1.09, rounded up"
    assert point_gap((100, 200), ELL) == 0
    assert point_gap((50, 50), ELL) == 0


def test_a_base_beside_an_outline_in_either_order() -> None:
    assert shape_gap(disc(200, 170), ELL) == 20
    assert shape_gap(ELL, disc(200, 170)) == 20
    assert shape_gap(ELL, disc(200, 150)) == 0
    assert shape_gap(disc(50, 50, 10), ELL) == 0


def test_outlines_that_touch_cross_or_lie_within_have_no_gap() -> None:
    assert outlines_gap(SQUARE, moved(SQUARE, 100, 100)) == 0
    assert outlines_gap(SQUARE, moved(SQUARE, 50, 50)) == 0
    assert outlines_gap(SQUARE, SQUARE) == 0
    assert outlines_gap(((40, -50), (60, -50), (60, 150), (40, 150)), SQUARE) == 0, "no corner in the other"
    inner: Outline = ((10, 10), (20, 10), (10, 20))
    assert outlines_gap(inner, SQUARE) == 0
    assert outlines_gap(SQUARE, inner) == 0
    assert outlines_gap(moved(SQUARE, 120, 130), ELL) == 20, "in the bay"


def test_of_groups_the_nearest_two_tell() -> None:
    assert shapes_gap([disc(0, 0), disc(0, 900)], [disc(400, 0), disc(300, 900, 100)]) == 150
    assert shapes_gap([disc(0, 400), ELL], [disc(300, 300, 20)]) == 180
    for ones, others in (([], [disc(0, 0)]), ([ELL], []), ([], [])):
        with pytest.raises(ValueError, match="empty"):
            shapes_gap(ones, others)


spots = st.tuples(st.integers(0, 12), st.integers(0, 12))
shapes = st.one_of(
    st.builds(Base, st.just("base"), spots, st.integers(1, 3)),
    st.builds(
        lambda p, scale: tuple([(p[0] + x * scale // 100, p[1] + y * scale // 100) for x, y in ELL]),
        spots,
        st.integers(1, 3),
    ),
)


def slow_gap_at_most(one: Shape, other: Shape, distance: int) -> bool:
    if isinstance(one, Base):
        if isinstance(other, Base):
            square = slow_sight.squared_distance(slow_sight.place(*one.at), slow_sight.place(*other.at))
            return square <= (distance + one.radius + other.radius) ** 2
        return slow_corner_at_most(one.at, other, distance + one.radius)
    if isinstance(other, Base):
        return slow_gap_at_most(other, one, distance)
    corners = [[slow_sight.place(*p) for p in outline] for outline in (one, other)]
    within = any(slow_corner_at_most(p, a, 0) for a, b in ((one, other), (other, one)) for p in b)
    edges = [(e, f) for e in slow_sight.edges(corners[0]) for f in slow_sight.edges(corners[1])]
    return within or min(slow_sight.segment_to_segment(*e, *f) for e, f in edges) <= distance**2


def slow_corner_at_most(p: Point, outline: Outline, distance: int) -> bool:
    at, corners = slow_sight.place(*p), [slow_sight.place(*q) for q in outline]
    apart = min(slow_sight.point_to_segment(at, a, b) for a, b in slow_sight.edges(corners))
    return slow_sight.strictly_inside(at, corners) or apart <= distance**2


@given(st.lists(shapes, min_size=1, max_size=2), st.lists(shapes, min_size=1, max_size=2))
@settings(max_examples=60)
def test_at_most_a_range_is_as_fractions_say(ones: list[Shape], others: list[Shape]) -> None:
    gap = shapes_gap(ones, others)
    assert gap >= 0
    assert any(slow_gap_at_most(one, other, gap) for one in ones for other in others)
    assert gap == 0 or not any(slow_gap_at_most(one, other, gap - 1) for one in ones for other in others)
