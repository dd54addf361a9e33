"""Points, outlines and features: sides, touching, rounding."""

from __future__ import annotations

from math import isqrt

import pytest
from hypothesis import assume, given, strategies as st

from engine.space.features import Area, Barrier, crosses_within, scenery
from engine.space.hulls import hull_of, in_hull, segment_near_hull
from engine.space.outlines import (
    Outline,
    checked,
    contains,
    inside,
    is_convex,
    meets_outline,
    nearest_on_edges,
    point_near_outline,
    through_interior,
)
from engine.space.vectors import (
    Point,
    ceil_sqrt,
    cross,
    divide,
    nearest_on_segment,
    point_nearer,
    segments_meet,
    squared,
    towards,
)

SQUARE: Outline = ((0, 0), (100, 0), (100, 100), (0, 100))
ELL: Outline = ((0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300))

points = st.tuples(st.integers(-500, 500), st.integers(-500, 500))


def test_rounding_is_as_stated() -> None:
    assert [divide(n, 2) for n in (-3, -1, 1, 3)] == [-1, 0, 1, 2]
    assert [ceil_sqrt(n) for n in (0, 1, 2, 4, 5)] == [0, 1, 2, 2, 3]
    assert nearest_on_segment((0, 10), (0, 0), (30, 10)) == (3, 1)
    assert nearest_on_segment((-5, 3), (0, 0), (30, 10)) == (0, 0)


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


def test_nearer_is_strict() -> None:
    assert not point_nearer((5, 50), (0, 0), (10, 0), 50)
    assert point_nearer((5, 49), (0, 0), (10, 0), 50)
    assert not point_nearer((13, 4), (0, 0), (10, 0), 5)


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


def test_a_line_that_touches_a_group_is_not_nearer() -> None:
    group = hull_of([(0, 0), (100, 0), (50, 80)])
    assert not segment_near_hull((-500, -50), (500, -50), group, 50)
    assert segment_near_hull((-500, -49), (500, -49), group, 50)
    assert not segment_near_hull((-500, 0), (-50, 0), group, 50)
    assert segment_near_hull((-500, 0), (-49, 0), group, 50)
    assert not segment_near_hull((-50, 0), (-50, 0), group, 50)
    assert segment_near_hull((50, 20), (50, 20), group, 1)


def test_the_boundary_counts_as_inside() -> None:
    assert inside((50, 50), ELL) == 1
    assert [inside(p, ELL) for p in [(0, 0), (100, 100), (200, 100), (0, 50), (100, 200)]] == [0] * 5
    assert [inside(p, ELL) for p in [(101, 101), (-1, 0), (400, 100), (400, 0), (-5, 300)]] == [-1] * 5
    assert contains((100, 200), ELL)


def test_running_along_an_edge_is_not_through() -> None:
    assert not through_interior((-50, 0), (400, 0), ELL)
    assert not through_interior((200, 200), (100, 100), ELL)
    assert not through_interior((50, 350), (350, 50), ELL)
    assert through_interior((0, 200), (200, 0), ELL)
    assert through_interior((100, 100), (0, 0), ELL)
    assert through_interior((100, 200), (200, 100), ELL) is False
    assert through_interior((50, 50), (50, 50), ELL)
    assert meets_outline((-50, 0), (400, 0), ELL)
    assert not meets_outline((120, 250), (250, 120), ELL)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7), st.data())
def test_the_quick_way_through_an_area_is_the_plain_one(cloud: list[Point], data: st.DataObject) -> None:
    hull = hull_of(cloud)
    assume(len(hull) > 2)
    area = scenery(10, 10, [Area("hull", hull)], []).areas[0]
    ends = st.tuples(st.integers(-1, 10), st.integers(-1, 10))
    a, b = data.draw(ends), data.draw(ends)
    assert area.pierced_by(a, b) == through_interior(a, b, hull)


def test_an_outline_must_be_simple() -> None:
    assert checked(SQUARE[::-1]) in {SQUARE[i:] + SQUARE[:i] for i in range(4)}
    assert is_convex(SQUARE)
    assert not is_convex(ELL)
    bow = ((0, 0), (100, 100), (100, 0), (0, 100))
    spike = ((0, 0), (100, 0), (50, 0), (50, 50))
    for wrong in (bow, spike, SQUARE[:2], (*SQUARE, SQUARE[0]), ((0, 0), (5, 5), (9, 9))):
        with pytest.raises(ValueError, match="outline"):
            checked(wrong)
    with pytest.raises(ValueError, match="barrier w"):
        scenery(100, 100, [], [Barrier("w", ((0, 0),))])


def test_nearest_point_of_an_outline() -> None:
    ground = scenery(1000, 1000, [Area("ell", ELL)], [])
    assert nearest_on_edges((200, 150), ground.area("ell").edges) == (200, 100)
    assert nearest_on_edges((50, 90), ground.area("ell").edges) == (0, 90)
    assert point_near_outline((200, 150), ELL, 51)
    assert not point_near_outline((200, 150), ELL, 50)


def test_what_holds_a_point() -> None:
    ground = scenery(1000, 1000, [Area("wood", SQUARE), Area("ell", ELL)], [Barrier("wall", ((500, 0), (500, 500)))])
    assert ground.areas_at((100, 100)) == ("wood", "ell")
    assert ground.areas_at((150, 50)) == ("ell",)
    assert ground.areas_at((500, 500)) == ()
    assert ground.barrier("wall").crossed_by((400, 500), (600, 500))
    assert not ground.barrier("wall").crossed_by((400, 501), (600, 501))
    assert ground.has_disc((50, 950), 50)
    assert not ground.has_disc((49, 950), 50)
    with pytest.raises(KeyError):
        ground.area("wall")
    with pytest.raises(KeyError):
        ground.barrier("wood")


def test_a_line_of_fire_that_crosses_close_to_its_target() -> None:
    wall = (((0, 0), (0, 100)),)
    assert crosses_within((-300, 50), (100, 50), wall, (100, 50), 100)
    assert not crosses_within((-300, 50), (101, 50), wall, (101, 50), 100)
    assert not crosses_within((-300, 150), (50, 150), wall, (50, 150), 100)
    assert crosses_within((0, -300), (0, 150), wall, (0, 150), 50)
    assert not crosses_within((0, -300), (0, 150), wall, (0, 151), 50)
