"""Outlines: inside, edge and outside; ways through them, past them and near them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.vectors.hulls import edges_of, hull_of
from engine.space.vectors.outlines import (
    Outline,
    checked,
    contains,
    doubled_area,
    inside,
    is_convex,
    meets_outline,
    nearest_on_edges,
    outline_of,
    outlines_overlap,
    place_near_outline,
    point_near_outline,
    segment_near_outline,
    through_interior,
)
from engine.space.vectors.points import Point, segments_nearer
from tests.support.faults.crowded_tables import place
from tests.support.reference import slow_sight

SQUARE: Outline = ((0, 0), (100, 0), (100, 100), (0, 100))
ELL: Outline = ((0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300))
SMALL: tuple[Outline, ...] = (
    ((1, 1), (5, 1), (5, 4), (1, 4)),
    ((1, 1), (3, 1), (5, 1), (3, 5)),
    ((1, 1), (6, 1), (6, 3), (3, 3), (3, 5), (1, 5)),
    ((1, 1), (6, 1), (6, 5), (5, 5), (5, 2), (2, 2), (2, 5), (1, 5)),
    ((3, 1), (6, 6), (3, 3), (0, 6)),
)
"""Outlines with a straight corner, a bay between prongs of the same height, a dart: convex and not."""

shapes = st.sampled_from(SMALL)
spots = st.tuples(st.integers(0, 7), st.integers(0, 7))


def test_areas_are_signed() -> None:
    assert doubled_area(SQUARE) == 20_000
    assert doubled_area(SQUARE[::-1]) == -20_000
    assert outline_of((0, 0, 100, 100)) == SQUARE


def test_an_outline_must_be_simple() -> None:
    assert checked(SQUARE) == SQUARE
    assert checked(SQUARE[::-1]) in {SQUARE[i:] + SQUARE[:i] for i in range(4)}
    bow = ((0, 0), (100, 100), (100, 0), (0, 100))
    spike = ((0, 0), (100, 0), (50, 0), (50, 50))
    with pytest.raises(ValueError, match=r"turns back on itself at \(100, 0\)"):
        checked(spike)
    corner_on_edge = ((0, 0), (100, 0), (100, 100), (50, 0), (0, 100))
    for wrong in (bow, corner_on_edge, SQUARE[:2], (*SQUARE, SQUARE[0]), ((0, 0), (5, 5), (9, 9))):
        with pytest.raises(ValueError, match="outline"):
            checked(wrong)


def test_a_straight_corner_does_not_point_inwards() -> None:
    assert is_convex(SQUARE)
    assert not is_convex(ELL)
    assert [is_convex(shape) for shape in SMALL] == [True, True, False, False, False]


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
    assert not through_interior((100, 200), (200, 100), ELL)
    assert through_interior((50, 50), (50, 50), ELL)
    assert meets_outline((-50, 0), (400, 0), ELL)
    assert not meets_outline((120, 250), (250, 120), ELL)


@given(shapes, spots, spots, st.integers(0, 4))
@settings(max_examples=150)
def test_outlines_are_met_as_fractions_say(outline: Outline, a: Point, b: Point, distance: int) -> None:
    corners = [slow_sight.place(*p) for p in outline]
    start, end = slow_sight.place(*a), slow_sight.place(*b)
    edge, within = slow_sight.on_outline(start, corners), slow_sight.strictly_inside(start, corners)
    assert inside(a, outline) == (0 if edge else 1 if within else -1)
    assert through_interior(a, b, outline) is slow_sight.passes_inside(start, end, corners)
    apart = min(slow_sight.segment_to_segment(start, end, c, d) for c, d in slow_sight.edges(corners))
    assert meets_outline(a, b, outline) is (within or apart == 0)
    assert segment_near_outline(a, b, outline, distance) is (distance > 0 and (within or apart < distance**2))


def test_near_an_outline_is_strict() -> None:
    assert point_near_outline((200, 150), ELL, 51)
    assert not point_near_outline((200, 150), ELL, 50)
    assert not point_near_outline((50, 50), ELL, 50), "the boundary is as far from within"
    assert place_near_outline((50, 50), ELL, 1)
    assert not place_near_outline((50, 50), ELL, 0)
    assert not segment_near_outline((150, 150), (150, 300), ELL, 50)
    assert segment_near_outline((150, 149), (150, 300), ELL, 51)


def test_a_place_is_as_near_to_an_outline_as_a_segment_of_no_length() -> None:
    random, near = Random(10), 0
    for _ in range(300):
        outline = hull_of([place(random) for _ in range(5)])
        for _ in range(20):
            p, distance = place(random), random.randrange(400)
            by_edges = contains(p, outline) or any(segments_nearer(p, p, a, b, distance) for a, b in edges_of(outline))
            assert segment_near_outline(p, p, outline, distance) is (distance > 0 and by_edges)
            assert place_near_outline(p, outline, distance) is (distance > 0 and by_edges)
            near += by_edges
    assert near > 500


def test_the_nearest_point_of_an_outline() -> None:
    assert nearest_on_edges((200, 150), edges_of(ELL)) == (200, 100)
    assert nearest_on_edges((50, 90), edges_of(ELL)) == (0, 90)
    assert nearest_on_edges((50, 50), edges_of(SQUARE)) == (50, 0), "of equals the first"


def test_touching_is_no_overlap() -> None:
    square = outline_of((0, 0, 100, 100))
    assert not outlines_overlap(square, outline_of((100, 0, 200, 100)))
    assert not outlines_overlap(square, outline_of((100, 100, 200, 200)))
    assert outlines_overlap(square, outline_of((99, 99, 200, 200)))
    assert outlines_overlap(square, square)
    assert outlines_overlap(square, outline_of((40, -50, 60, 150))), "no corner in the other"
    assert outlines_overlap(square, outline_of((40, 40, 60, 60)))
    assert outlines_overlap(outline_of((40, 40, 60, 60)), square)


def test_outlines_of_one_width_overlap() -> None:
    lane, hull = outline_of((0, 0, 400, 100)), outline_of((100, 0, 200, 100))
    assert outlines_overlap(lane, hull), "all its corners are on the boundary"
    assert outlines_overlap(hull, lane)
    assert outlines_overlap(lane, ((0, 0), (100, 100), (0, 100))), "one of its corners is in common, two are on edges"
    assert not outlines_overlap(lane, outline_of((400, 0, 500, 100)))
    assert not outlines_overlap(lane, outline_of((100, 100, 200, 200)))


def common_area(convex: Outline, other: Outline) -> Fraction:
    """Return twice the area that two outlines share: the other one cut along each edge of the convex one."""
    left = [slow_sight.place(*p) for p in other]
    for a, b in slow_sight.edges([slow_sight.place(*p) for p in convex]):
        kept: list[slow_sight.Place] = []
        for c, d in slow_sight.edges(left):
            before, after = slow_sight.turn(a, b, c), slow_sight.turn(a, b, d)
            if before * after < 0:
                kept.append(slow_sight.between(c, d, before / (before - after)))
            if after >= 0:
                kept.append(d)
        left = kept
    return abs(sum((c[0] * d[1] - c[1] * d[0] for c, d in slow_sight.edges(left)), Fraction(0)))


SHAPES: tuple[Outline, ...] = (
    ((0, 0), (4, 0), (4, 3), (0, 3)),
    ((0, 0), (5, 0), (5, 2), (2, 2), (2, 5), (0, 5)),
    ((0, 0), (5, 0), (5, 4), (4, 4), (4, 1), (1, 1), (1, 4), (0, 4)),
    ((3, 0), (6, 6), (3, 3), (0, 6)),
)
spots = st.tuples(st.integers(0, 6), st.integers(0, 6))
hulls = st.lists(spots, min_size=3, max_size=5).map(hull_of).filter(lambda hull: len(hull) > 2)


@given(hulls, st.sampled_from(SHAPES), spots)
@settings(max_examples=200)
def test_outlines_overlap_where_they_share_ground(convex: Outline, shape: Outline, by: Point) -> None:
    other = tuple([(x + by[0] - 2, y + by[1] - 2) for x, y in shape])
    assert outlines_overlap(convex, other) is (common_area(convex, other) > 0)


@given(hulls, spots, st.tuples(st.integers(1, 6), st.integers(1, 6)))
@settings(max_examples=200)
def test_what_is_cut_to_the_edges_of_a_box_shares_its_ground(hull: Outline, low: Point, size: Point) -> None:
    (left, bottom), (wide, high) = low, size
    box = outline_of((left, bottom, left + wide, bottom + high))
    held = hull_of([(min(max(x, left), left + wide), min(max(y, bottom), bottom + high)) for x, y in hull])
    if len(held) > 2:
        assert outlines_overlap(box, held)
        assert outlines_overlap(held, box)
        assert common_area(box, held) == doubled_area(held)
