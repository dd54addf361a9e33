"""Points, segments and boxes: sides, touching, rounding."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.vectors.points import (
    Point,
    box_around,
    box_between,
    box_of,
    boxes_meet,
    ceil_sqrt,
    cross,
    divide,
    floor_sqrt,
    in_box,
    middle_of,
    nearest_on_segment,
    on_ray,
    on_segment,
    point_nearer,
    point_to_segment,
    segments_meet,
    segments_nearer,
    squared,
    towards,
    widened,
    within,
)
from tests.support.faults.crowded_tables import place
from tests.support.reference import slow_sight

points = st.tuples(st.integers(-500, 500), st.integers(-500, 500))
cramped = st.tuples(st.integers(0, 6), st.integers(0, 6))


def test_left_is_positive() -> None:
    assert cross((1, 1), (3, 1), (2, 4)) == 6
    assert cross((1, 1), (3, 1), (2, -2)) == -6
    assert cross((1, 1), (3, 1), (9, 1)) == 0


def test_a_distance_itself_is_within_it() -> None:
    assert squared((1, 2), (4, -2)) == 25
    assert within((1, 2), (4, -2), 5)
    assert not within((1, 2), (4, -2), 4)
    assert within((1, 2), (1, 2), 0)


def test_rounding_is_as_stated() -> None:
    assert [divide(n, 2) for n in (-3, -1, 1, 3)] == [-1, 0, 1, 2]
    assert [divide(n, 3) for n in (-2, -1, 1, 2)] == [-1, 0, 0, 1]
    assert [ceil_sqrt(n) for n in (-4, 0, 1, 2, 4, 5)] == [0, 0, 1, 2, 2, 3]
    assert [floor_sqrt(n) for n in (0, 1, 3, 4, 8, 9)] == [0, 1, 1, 2, 2, 3]
    assert nearest_on_segment((0, 10), (0, 0), (30, 10)) == (3, 1)
    assert nearest_on_segment((-5, 3), (0, 0), (30, 10)) == (0, 0)
    assert nearest_on_segment((31, 10), (0, 0), (30, 10)) == (30, 10)
    assert nearest_on_segment((5, 5), (2, 2), (2, 2)) == (2, 2)
    with pytest.raises(ValueError, match="nonnegative"):
        floor_sqrt(-1)


def test_a_point_on_the_way_is_cut_towards_the_start() -> None:
    assert towards((0, 0), (300, 400), 101) == (60, 80)
    assert towards((10, 10), (-300, -400), 101) == (10 - 60, 10 - 80)
    assert towards((0, 0), (300, 400), 500) == (300, 400)
    assert towards((0, 0), (300, 400), 0) == (0, 0)


@given(points, points, st.integers(0, 1_500))
def test_a_point_on_the_way_is_never_too_far_and_hardly_too_near(a: Point, b: Point, distance: int) -> None:
    p = towards(a, b, distance)
    assert squared(a, p) <= distance * distance
    assert isqrt(squared(a, p)) >= min(distance, isqrt(squared(a, b))) - 2
    assert cross(a, b, p) ** 2 <= squared(a, b)


def test_segments_that_touch_meet() -> None:
    assert segments_meet((0, 0), (10, 0), (10, 0), (20, 5))
    assert segments_meet((0, 0), (10, 0), (5, 0), (5, 9))
    assert segments_meet((0, 0), (10, 0), (5, 0), (25, 0))
    assert not segments_meet((0, 0), (10, 0), (11, 0), (25, 0))
    assert not segments_meet((0, 0), (10, 0), (5, 1), (5, 9))
    assert not segments_meet((3, 3), (3, 3), (0, 0), (10, 11))


@given(cramped, cramped, cramped, cramped, st.integers(0, 5))
@settings(max_examples=200)
def test_segments_meet_and_are_near_as_fractions_say(a: Point, b: Point, c: Point, d: Point, distance: int) -> None:
    ends = [slow_sight.place(*p) for p in (a, b, c, d)]
    assert segments_meet(a, b, c, d) is bool(slow_sight.meeting_shares(*ends))
    assert segments_nearer(a, b, c, d, distance) is (slow_sight.segment_to_segment(*ends) < distance * distance)


@given(cramped, cramped, cramped)
@settings(max_examples=200)
def test_a_point_is_as_far_from_a_segment_as_fractions_say(p: Point, a: Point, b: Point) -> None:
    exact = slow_sight.point_to_segment(*[slow_sight.place(*q) for q in (p, a, b)])
    assert Fraction(*point_to_segment(p, a, b)) == exact
    assert on_segment(p, a, b) is (exact == 0)


def test_nearer_is_strict() -> None:
    assert not point_nearer((5, 50), (0, 0), (10, 0), 50)
    assert point_nearer((5, 49), (0, 0), (10, 0), 50)
    assert not point_nearer((13, 4), (0, 0), (10, 0), 5)
    assert not segments_nearer((0, 50), (10, 50), (0, 0), (10, 0), 50)
    assert segments_nearer((0, 50), (10, 49), (0, 0), (10, 0), 50)
    assert not segments_nearer((0, 0), (10, 0), (0, 0), (10, 0), 0)


def test_a_point_is_nearer_to_a_segment_where_its_exact_distance_is_less() -> None:
    random, nearer = Random(12), 0
    for number in range(5_000):
        p, a = place(random), place(random)
        b = place(random) if number % 10 else a
        square, unit = point_to_segment(p, a, b)
        for distance in (isqrt(square // unit), isqrt(square // unit) + 1, random.randrange(3_000)):
            assert point_nearer(p, a, b, distance) is (square < distance * distance * unit)
            nearer += point_nearer(p, a, b, distance)
    assert nearer > 5_000


def test_the_edges_of_a_box_belong_to_it() -> None:
    assert box_of([(3, 9), (1, 4), (2, 11)]) == (1, 4, 3, 11)
    assert box_between((3, 4), (1, 9)) == (1, 4, 3, 9)
    assert box_around((10, 20), 3) == (7, 17, 13, 23)
    assert middle_of((1, 4, 4, 11)) == (2, 7), "rounded down"
    assert widened((1, 4, 3, 9), 2) == (-1, 2, 5, 11)
    assert [in_box(p, (1, 4, 3, 9)) for p in [(1, 4), (3, 9), (0, 5), (4, 5), (2, 3), (2, 10)]] == [True] * 2 + [
        False
    ] * 4


def test_boxes_that_touch_meet() -> None:
    touching = [(3, 9, 5, 12), (-2, 0, 1, 4), (2, 5, 2, 5)]
    apart = [(4, 4, 5, 9), (-2, 4, 0, 9), (1, 10, 3, 12), (1, 0, 3, 3)]
    assert [boxes_meet((1, 4, 3, 9), box) for box in touching] == [True] * 3
    assert [boxes_meet((1, 4, 3, 9), box) for box in apart] == [False] * 4


@pytest.mark.parametrize(
    ("through", "distance", "there"),
    [((300, 400), 100, (60, 80)), ((3, 4), 100, (60, 80)), ((-3, -4), 500, (-300, -400)), ((0, 0), 100, (0, 0))],
)
def test_a_ray_leads_on_beyond_the_point_that_it_is_told_by(through: Point, distance: int, there: Point) -> None:
    assert on_ray((0, 0), through, distance) == there
