"""Reach: the ends of the farthest moves all around, and their renewal when bases change."""

from __future__ import annotations

from random import Random

from engine.space.movement.moves import Way, straight_move_fault
from engine.space.movement.reach import (
    DIRECTIONS,
    along,
    departure_region,
    departures,
    door_region,
    joined,
    reach_ends,
    reach_region,
    renewed_ends,
)
from engine.space.terrain.contact import Base
from engine.space.vectors.points import Point, cross, squared
from protocol.ids import FigureId
from tests.support.faults.crowded_tables import bases, ground, place
from tests.support.reference.small_tables import LAKE, OPEN, WALL, WOOD, table, way_on

EDGES = table(WOOD).area("wood").edges
MIDDLE = (2300, 1000)
SIZE = 600
"""The distance of the wood's corners from its middle, rounded up: they are 583 away."""


def test_directions_go_round_evenly() -> None:
    assert len(DIRECTIONS) == 48
    assert DIRECTIONS[0] == (10_000, 0)
    assert DIRECTIONS[12] == (0, 10_000)
    assert all(9_990**2 < squared((0, 0), d) < 10_010**2 for d in DIRECTIONS)
    turns = [cross((0, 0), d, DIRECTIONS[(n + 1) % 48]) for n, d in enumerate(DIRECTIONS)]
    assert 13_000_000 < min(turns) <= max(turns) < 13_100_000, "0.1305 is the sine of 7.5 degrees"


def test_a_place_along_a_direction_is_rounded_down() -> None:
    assert along((100, 100), DIRECTIONS[4], 801) == (793, 500)
    assert along((100, 100), DIRECTIONS[28], 801) == (100 - 694, 100 - 401)


def test_neighbours_at_one_point_count_once() -> None:
    assert joined([(0, 0), (0, 0), (5, 5), (5, 5), (0, 5), (0, 0)]) == ((5, 5), (0, 5), (0, 0))
    assert joined([(3, 3)] * 4) == ((3, 3),)
    assert joined([]) == ()


def test_reach_is_round_in_the_open_and_clipped_elsewhere() -> None:
    free = reach_region(way_on(OPEN), (3000, 2000), 800)
    assert len(free) == 48
    assert all(790**2 <= squared((3000, 2000), p) <= 800**2 for p in free)
    clipped = reach_region(way_on(table(LAKE)), (1800, 1000), 800)
    assert max(x for x, y in clipped if abs(y - 1000) < 100) <= 1950
    assert reach_region(way_on(OPEN), (3000, 2000), 0) == ((3000, 2000),)


def test_each_end_is_that_of_a_legal_move() -> None:
    way = way_on(
        table(WOOD, WALL), (Base(FigureId("foe"), (1500, 1300), 50),), (Base(FigureId("friend"), (1200, 900), 50),)
    )
    ends = reach_ends(way, (1700, 1000), 800)
    assert len(ends) == 48
    assert all(straight_move_fault(way, (1700, 1000), end, 800) is None for end in ends)
    assert ends[0] == (2100, 1000), "past the edge by its width"


def test_ends_that_are_renewed_are_those_found_anew() -> None:
    random, kept = Random(2), 0
    for _ in range(25):
        features, there, start = ground(random), bases(random, 8), place(random)
        before = reach_ends(Way(features, 50, 100, there[:6]), start, 1_200)
        after = Way(features, 50, 100, there[2:])
        renewed = renewed_ends(after, start, 1_200, before, (*there[:2], *there[6:]))
        assert renewed == reach_ends(after, start, 1_200)
        kept += renewed == before
    assert 0 < kept < 25
    marks: tuple[Point, ...] = tuple([(n, n) for n in range(48)])
    assert renewed_ends(way_on(OPEN), (500, 500), 100, marks, [Base(FigureId("far"), (3000, 3000), 50)]) == marks


def test_a_feature_is_left_by_its_edges() -> None:
    out = departure_region(way_on(table(WOOD)), EDGES, MIDDLE, 800, SIZE)
    assert max(x for x, _ in out) == 3400
    assert min(x for x, _ in out) == 1200
    ends = departures(way_on(table(WOOD)), EDGES, MIDDLE, 800, SIZE).ends
    assert len(ends) == 48
    assert (ends[0], ends[24]) == ((3400, 1000), (1200, 1000))


def test_a_door_is_left_in_a_third_of_the_directions() -> None:
    out = door_region(way_on(OPEN), (3000, 2000), 800)
    assert len(out) == 16
    assert set(out) < set(reach_region(way_on(OPEN), (3000, 2000), 800))


def test_departures_that_are_renewed_are_those_found_anew() -> None:
    random, kept = Random(3), 0
    for _ in range(8):
        there = [
            Base(FigureId(str(n)), (random.randrange(1000, 3600), random.randrange(50, 2300)), 50) for n in range(6)
        ]
        known = departures(way_on(table(WOOD), tuple(there[:5])), EDGES, MIDDLE, 800, SIZE)
        after, changed = way_on(table(WOOD), tuple(there[1:])), (there[0], there[5])
        renewed = departures(after, EDGES, MIDDLE, 800, SIZE, DIRECTIONS, known, changed)
        assert renewed == departures(after, EDGES, MIDDLE, 800, SIZE)
        kept += sum(one == other for one, other in zip(renewed.ends, known.ends, strict=True))
    assert kept > 100
