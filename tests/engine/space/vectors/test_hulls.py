"""Convex hulls: their corners, points inside, and distances."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from engine.space.vectors.hulls import edges_of, hull_of, in_hull, point_near_hull, segment_near_hull
from engine.space.vectors.points import Point, cross
from tests.support.reference import slow_sight
from tests.support.runs.cases import cases

points = st.tuples(st.integers(-500, 500), st.integers(-500, 500))
small = st.tuples(st.integers(0, 12), st.integers(0, 12))


def test_hulls_of_few_points() -> None:
    assert hull_of([(4, 4), (4, 4)]) == ((4, 4),)
    assert hull_of([(0, 0), (9, 9), (3, 3)]) == ((0, 0), (9, 9))
    assert hull_of([(0, 0), (5, 0), (10, 0), (10, 10), (0, 10), (4, 4)]) == ((0, 0), (10, 0), (10, 10), (0, 10))
    with pytest.raises(ValueError, match="at least one"):
        hull_of([])


@given(st.lists(points, min_size=3, max_size=12))
def test_a_hull_holds_its_points_and_turns_left(cloud: list[Point]) -> None:
    hull = hull_of(cloud)
    if len(hull) > 2:
        assert all(in_hull(p, hull) for p in cloud)
        assert all(cross(hull[i - 2], hull[i - 1], hull[i]) > 0 for i in range(len(hull)))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=7))
def test_a_corner_is_what_no_others_hold(cloud: list[Point]) -> None:
    places = [slow_sight.place(*p) for p in sorted(set(cloud))]

    def is_corner(p: slow_sight.Place) -> bool:
        others = [q for q in places if q != p]
        return not (
            any(slow_sight.in_triangle(p, *three) for three in combinations(others, 3))
            or any(slow_sight.point_to_segment(p, *two) == 0 for two in combinations(others, 2))
        )

    hull = hull_of(cloud)
    assert hull[0] == min(cloud)
    assert sorted(hull) == [p for p in sorted(set(cloud)) if is_corner(slow_sight.place(*p))]


def test_edges_close() -> None:
    assert edges_of(((0, 0), (9, 0), (0, 9))) == (((0, 0), (9, 0)), ((9, 0), (0, 9)), ((0, 9), (0, 0)))
    assert edges_of(((0, 0), (9, 0))) == (((0, 0), (9, 0)),)
    assert edges_of(((4, 4),)) == (((4, 4), (4, 4)),)


def test_the_boundary_of_a_hull_belongs_to_it() -> None:
    hull = ((0, 0), (100, 0), (50, 80))
    assert [in_hull(p, hull) for p in [(50, 0), (50, 80), (50, 40), (50, -1), (49, 80)]] == [True] * 3 + [False] * 2
    assert not in_hull((5, 0), ((0, 0), (10, 0)))


def test_a_point_that_touches_a_hull_is_not_nearer() -> None:
    hull = ((0, 0), (100, 0), (50, 80))
    assert not point_near_hull((50, -20), hull, 20)
    assert point_near_hull((50, -19), hull, 20)
    assert point_near_hull((50, 20), hull, 1)
    assert not point_near_hull((50, 20), hull, 0)
    assert point_near_hull((13, 4), ((10, 0),), 6)
    assert not point_near_hull((13, 4), ((10, 0),), 5)


def test_a_line_that_touches_a_group_is_not_nearer() -> None:
    group = hull_of([(0, 0), (100, 0), (50, 80)])
    assert not segment_near_hull((-500, -50), (500, -50), group, 50)
    assert segment_near_hull((-500, -49), (500, -49), group, 50)
    assert not segment_near_hull((-500, 0), (-50, 0), group, 50)
    assert segment_near_hull((-500, 0), (-49, 0), group, 50)
    assert not segment_near_hull((-50, 0), (-50, 0), group, 50)
    assert segment_near_hull((50, 20), (50, 20), group, 1)


@given(small, small, st.lists(small, min_size=1, max_size=6), st.integers(0, 8))
@cases(150, 500)
def test_segments_near_hulls(a: Point, b: Point, cloud: list[Point], distance: int) -> None:
    start, end, *centres = [slow_sight.place(*p) for p in (a, b, *cloud)]
    expected = slow_sight.segment_to_hull(start, end, centres) < distance * distance
    assert segment_near_hull(a, b, hull_of(cloud), distance) is expected
