"""What one quick look tells is what the plain way finds, on tables full of features and bases."""

from __future__ import annotations

from math import isqrt
from random import Random

from engine.space.contact import at_most_apart, first_overlapped, first_touched, gap_at_most, overlaps, touches
from engine.space.drives import Chassis, Surroundings, stands, turns_freely
from engine.space.headings import ANGLES
from engine.space.hulls import edges_of, hull_of
from engine.space.moves import Way, _ends_well, _first_stops, _stops, clip_move, straight_move_fault
from engine.space.outlines import contains, place_near_outline, segment_near_outline
from engine.space.vectors import floor_sqrt, point_nearer, point_to_segment, segments_nearer, squared, towards
from engine.space.walled import is_barred, is_walled_off
from tests.support.crowded_tables import bases, ground, place


def test_a_base_that_turns_freely_stands_wherever_it_looks() -> None:
    random, free = Random(5), 0
    for _ in range(60):
        table = ground(random)
        ids = frozenset([*(area.id for area in table.areas), *(barrier.id for barrier in table.barriers)])
        hulls = frozenset(["area/0"])
        around = Surroundings(table, ids - hulls, hulls, bases(random, 6))
        for _ in range(6):
            chassis = Chassis(place(random), 0, random.randrange(200, 500), random.randrange(100, 300))
            if turns_freely(chassis, around):
                free += 1
                assert all(stands(chassis._replace(facing=angle), around) for angle in ANGLES)
    assert free > 50


def test_an_end_that_looks_well_is_stopped_by_nothing() -> None:
    random, well = Random(6), 0
    for _ in range(200):
        way = Way(ground(random), 50, 100, bases(random, 6))
        for _ in range(10):
            start, end = place(random), place(random)
            if way.scenery.has_disc(end, way.radius) and _ends_well(way, start, end):
                well += 1
                length = floor_sqrt(squared(start, end))
                # where an edge is met is found by halving, along places that are rounded
                assert all(stop.limit >= length - 1 for stop in _stops(way, start, end))
    assert well > 100


def test_what_is_met_first_is_so_among_all_that_is_met() -> None:
    random, fewer = Random(9), 0
    for _ in range(400):
        way = Way(ground(random), 50, 100, bases(random, 25))
        for _ in range(10):
            start, end = place(random), place(random)
            length = floor_sqrt(squared(start, end))
            everything, first = list(_stops(way, start, end)), _first_stops(way, start, end)
            fewer += len(first) < len(everything)
            decisive = [[stop for stop in found if stop.limit < length] for found in (everything, first)]
            ends = [min(found, key=lambda stop: stop.best, default=None) for found in decisive]
            assert ends[0] == ends[1]
    assert fewer > 500


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


def test_an_end_that_is_walled_off_is_at_fault() -> None:
    random, off = Random(7), 0
    for _ in range(400):
        way = Way(ground(random), 50, 100, bases(random, 2))
        for _ in range(40):
            start, end = place(random), place(random)
            if is_walled_off(way, start, end):
                off += 1
                assert straight_move_fault(way, start, end, 10_000) is not None
    assert off > 1_000


def test_a_way_that_is_barred_leads_not_so_far() -> None:
    random, off = Random(11), 0
    for _ in range(400):
        way = Way(ground(random), 50, 100, bases(random, 8))
        for _ in range(20):
            start, goal = place(random), place(random)
            length, allowance = random.randrange(100, 700), random.randrange(700, 2_000)
            end = towards(start, goal, length)
            is_free = not any(squared(start, b.at) < (way.radius + b.radius) ** 2 for b in way.stopping)
            if is_free and is_barred(way, start, end):
                off += 1
                assert squared(start, clip_move(way, start, goal, allowance).point) < squared(start, end)
    assert off > 300


def test_bases_near_to_one_are_those_that_are_so_one_by_one() -> None:
    random = Random(8)
    for _ in range(200):
        one, *others = bases(random, 30)
        assert first_overlapped(one, others) is next((other for other in others if overlaps(one, other)), None)
        assert first_touched(one, others) is next((other for other in others if touches(one, other)), None)
        assert at_most_apart(one, others, 700) == [other for other in others if gap_at_most(one, other, 700)]
