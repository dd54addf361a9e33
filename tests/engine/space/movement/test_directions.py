"""Directions around a point: no way lacks an obstacle that it meets."""

from __future__ import annotations

from math import pi
from random import Random

import pytest
from hypothesis import given, strategies as st

from engine.space.movement.directions import COUNT, angles_of, facing_bases, facing_edges, ways_around
from engine.space.movement.moves import Way, clip_among, clip_move
from engine.space.movement.reach import DIRECTIONS, along
from engine.space.terrain.contact import TOUCH, Base
from engine.space.terrain.features import Area
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point, point_nearer, segments_nearer
from protocol.ids import NO_FIGURE, FigureId
from tests.support.faults.crowded_tables import bases, ground, place
from tests.support.reference.small_tables import LAKE, WALL, WOOD, table, way_on

ALL = set(range(COUNT))
HERE = (1000, 1000)
spots = st.tuples(st.integers(0, 2_000), st.integers(0, 2_000))


def base(x: int, y: int, radius: int = 50) -> Base:
    return Base(FigureId("base"), (x, y), radius)


def test_a_base_is_faced_in_few_directions() -> None:
    """Angles: under 6.3 degrees to each side from 1000 away, under 7.8 from 800; directions are 7.5 degrees apart."""
    assert facing_bases(HERE, [base(2000, 1000)], 50, 2_000) == {0}
    assert facing_bases(HERE, [base(1800, 1000)], 50, 2_000) == {47, 0, 1}
    assert facing_bases(HERE, [base(1000, 2000), base(0, 1000)], 50, 2_000) == {12, 24}
    assert facing_bases(HERE, [], 50, 2_000) == set()


def test_a_base_that_is_out_of_reach_is_not_faced() -> None:
    assert facing_bases(HERE, [base(2000, 1000)], 50, 900) == {0}
    assert facing_bases(HERE, [base(2000, 1000)], 50, 890) == set()


def test_a_base_that_is_met_at_once_lies_all_around() -> None:
    assert facing_bases(HERE, [base(1104, 1000)], 50, 0) == ALL
    assert facing_edges(HERE, [((1050, 900), (1050, 1100))], 50, 0) == ALL
    assert angles_of(HERE, ((1050, 900), (1050, 1100)), 50) is None


def test_an_edge_is_faced_from_end_to_end() -> None:
    assert facing_edges(HERE, [((2000, 0), (2000, 2000))], 0, 1_500) == {*range(7), *range(42, 48)}
    assert facing_edges(HERE, [((2000, 0), (2000, 2000))], 0, 900) == set()
    angles = angles_of(HERE, ((2000, 1000), (1000, 2000)), 0)
    assert angles is not None
    assert angles == pytest.approx((0, pi / 2), abs=0.01)
    assert angles[0] < 0
    assert angles[1] > pi / 2


@given(spots, spots, st.integers(10, 200), st.integers(0, 1_500))
def test_no_base_is_met_in_another_direction(start: Point, at: Point, radius: int, allowance: int) -> None:
    faced = facing_bases(start, [Base(NO_FIGURE, at, radius)], 50, allowance)
    for n in ALL - faced:
        assert not point_nearer(at, start, along(start, DIRECTIONS[n], allowance), radius + 50 + TOUCH)


@given(spots, spots, spots, st.integers(0, 200), st.integers(0, 1_500))
def test_no_edge_is_met_in_another_direction(start: Point, a: Point, b: Point, margin: int, allowance: int) -> None:
    faced = facing_edges(start, [(a, b)], margin, allowance)
    for n in ALL - faced:
        end = along(start, DIRECTIONS[n], allowance)
        assert not segments_nearer(start, end, a, b, max(margin, 1))


def test_each_way_holds_what_it_may_meet() -> None:
    foe, friend = base(1700, 1000), base(1000, 1700)
    ways = ways_around(way_on(table(WOOD, WALL), (foe,), (friend,)), HERE, 1_500)
    assert len(ways) == COUNT
    assert [[area.id for area in ways[n].scenery.areas] for n in (0, 24)] == [["wood"], []]
    assert [[barrier.id for barrier in ways[n].scenery.barriers] for n in (0, 24)] == [["wall"], []]
    assert [ways[n].stopping for n in (0, 12, 24)] == [(foe,), (), ()]
    assert [ways[n].passing for n in (0, 12, 24)] == [(), (friend,), ()]


def test_an_area_that_holds_the_start_is_left_freely_unless_impassable() -> None:
    ways = ways_around(way_on(table(WOOD)), (2300, 1000), 800)
    assert not any(way.scenery.areas for way in ways)
    pit = Area("pit", outline_of((2200, 900, 2400, 1100)), impassable=True)
    assert all(way.scenery.areas for way in ways_around(way_on(table(pit)), (2300, 1000), 800))


def test_moves_end_where_they_do_among_everything() -> None:
    random = Random(3)
    for _ in range(30):
        way = Way(ground(random), 50, 100, bases(random, 8), bases(random, 4))
        start = place(random)
        for direction, there in zip(DIRECTIONS, ways_around(way, start, 900), strict=True):
            goal = along(start, direction, 900)
            assert clip_among(there, start, goal, 900) == clip_move(way, start, goal, 900)


def test_impassable_ground_is_faced_with_the_base_that_would_overlap_it() -> None:
    assert ways_around(way_on(table(LAKE)), (1900, 460), 800)[0].scenery.areas, "the centre goes by, the base does not"
    assert not ways_around(way_on(table(WOOD)), (1900, 460), 800)[0].scenery.areas
