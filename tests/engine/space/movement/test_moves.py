"""Straight moves: obstacles, their places on the path, and the legality of every clipped move."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings, strategies as st

from engine.space.movement.moves import (
    EndCause,
    MoveEnd,
    Way,
    _ends_well,
    _first_stops,
    _stops,
    clip_among,
    clip_move,
    is_free,
    nearby,
    straight_move_fault,
)
from engine.space.terrain.contact import Base, overlaps, touches
from engine.space.terrain.features import Area, Barrier
from engine.space.vectors.points import Point, box_between, floor_sqrt, squared
from protocol.ids import NO_FIGURE, FigureId
from tests.support.faults.crowded_tables import bases, ground, place
from tests.support.reference.small_tables import LAKE, OPEN, WALL, WOOD, table, way_on

ENEMY = FigureId("enemy")

spots = st.tuples(st.integers(0, 3_000), st.integers(0, 3_000))


def test_an_open_move_goes_as_far_as_allowed() -> None:
    assert clip_move(way_on(OPEN), (1000, 1000), (1500, 1000), 800) == MoveEnd((1500, 1000), EndCause.GOAL)
    assert clip_move(way_on(OPEN), (1000, 1000), (5000, 1000), 800) == MoveEnd((1800, 1000), EndCause.ALLOWANCE)
    fault = straight_move_fault(way_on(OPEN), (1000, 1000), (1801, 1000), 800)
    assert fault == MoveEnd((1801, 1000), EndCause.ALLOWANCE)
    assert clip_move(way_on(OPEN), (1000, 1000), (1000, 1000), 800) == MoveEnd((1000, 1000), EndCause.GOAL)


def test_the_table_has_an_edge() -> None:
    assert clip_move(way_on(OPEN), (300, 1000), (-300, 1000), 800) == MoveEnd((50, 1000), EndCause.TABLE_EDGE)
    fault = straight_move_fault(way_on(OPEN), (300, 1000), (49, 1000), 800)
    assert fault == MoveEnd((49, 1000), EndCause.TABLE_EDGE)


def test_who_begins_over_the_edge_of_the_table_goes_nowhere_along_it() -> None:
    """Such a move starts at a door of a vehicle that stands at the edge."""
    for x in (20, OPEN.width - 20):
        assert clip_move(way_on(OPEN), (x, 1000), (x, 1800), 800) == MoveEnd((x, 1000), EndCause.TABLE_EDGE)


def test_the_path_ends_at_the_first_enemy() -> None:
    enemy, behind = Base(ENEMY, (1500, 1010), 50), Base(FigureId("behind"), (1620, 1000), 50)
    end = clip_move(way_on(OPEN, (behind, enemy)), (1000, 1000), (1800, 1000), 800)
    assert (end.cause, end.what) == (EndCause.CONTACT, "enemy")
    met = Base(NO_FIGURE, end.point, 50)
    assert touches(met, enemy)
    assert not overlaps(met, enemy)
    past = straight_move_fault(way_on(OPEN, (enemy,)), (1000, 1000), (1800, 1000), 800)
    assert past == MoveEnd((1800, 1000), EndCause.CONTACT, "enemy")


def test_brushing_past_an_enemy_is_contact() -> None:
    enemy = Base(ENEMY, (1500, 1103), 50)
    end = clip_move(way_on(OPEN, (enemy,)), (1000, 1000), (1800, 1000), 800)
    assert (end.cause, end.what) == (EndCause.CONTACT, "enemy")
    assert touches(Base(NO_FIGURE, end.point, 50), enemy)
    wide = Base(FigureId("wide"), (1500, 1105), 50)
    assert clip_move(way_on(OPEN, (wide,)), (1000, 1000), (1800, 1000), 800).cause is EndCause.GOAL


def test_an_enemy_in_contact_may_be_left() -> None:
    enemy = Base(ENEMY, (1102, 1000), 50)
    assert clip_move(way_on(OPEN, (enemy,)), (1000, 1000), (500, 1000), 800).cause is EndCause.GOAL
    assert clip_move(way_on(OPEN, (enemy,)), (1000, 1000), (1000, 1500), 800).cause is EndCause.GOAL
    assert clip_move(way_on(OPEN, (enemy,)), (1000, 1000), (1500, 1000), 800).cause is EndCause.CONTACT


def test_friends_are_passed_but_not_stood_upon() -> None:
    friend = Base(FigureId("friend"), (1500, 1000), 50)
    assert clip_move(way_on(OPEN, (), (friend,)), (1000, 1000), (1700, 1000), 800).cause is EndCause.GOAL
    end = clip_move(way_on(OPEN, (), (friend,)), (1000, 1000), (1520, 1000), 800)
    assert end == MoveEnd((1400, 1000), EndCause.OVERLAP, "friend")


def test_entering_an_area_ends_the_move_just_inside() -> None:
    end = clip_move(way_on(table(WOOD)), (1700, 1000), (2500, 1000), 800)
    assert end == MoveEnd((2100, 1000), EndCause.AREA, "wood")
    assert straight_move_fault(way_on(table(WOOD)), (1700, 1000), (2040, 1000), 800) is None
    corner = straight_move_fault(way_on(table(WOOD)), (1900, 560), (2080, 470), 800)
    assert corner == MoveEnd((2080, 470), EndCause.AREA, "wood"), "who cuts a corner has entered"
    cut = clip_move(way_on(table(WOOD)), (1900, 560), (2080, 470), 800).point
    assert table(WOOD).areas_at(cut) == ("wood",)
    assert clip_move(way_on(table(WOOD)), (2100, 1000), (2500, 1000), 800).cause is EndCause.GOAL


def test_crossing_a_barrier_ends_the_move_just_beyond() -> None:
    end = clip_move(way_on(table(WALL)), (1700, 1000), (2500, 1000), 800)
    assert end == MoveEnd((2100, 1000), EndCause.BARRIER, "wall")
    on_it = straight_move_fault(way_on(table(WALL)), (1700, 1000), (2000, 1000), 800)
    assert on_it == MoveEnd((2000, 1000), EndCause.BARRIER, "wall")


def test_a_second_barrier_is_not_crossed() -> None:
    second = Barrier("second", ((2060, 500), (2060, 1500)))
    end = clip_move(way_on(table(WALL, second)), (1700, 1000), (2500, 1000), 800)
    assert end == MoveEnd((2059, 1000), EndCause.BARRIER, "wall")


def test_a_wall_on_the_edge_of_its_yard_is_crossed_with_it() -> None:
    end = clip_move(way_on(table(WOOD, WALL)), (1700, 1000), (2500, 1000), 800)
    assert end.point == (2100, 1000)


def test_impassable_ground_is_not_overlapped() -> None:
    assert clip_move(way_on(table(LAKE)), (1700, 1000), (2500, 1000), 800) == MoveEnd(
        (1950, 1000), EndCause.IMPASSABLE, "lake"
    )
    assert clip_move(way_on(table(LAKE)), (1700, 450), (2500, 450), 800).cause is EndCause.GOAL
    assert clip_move(way_on(table(LAKE)), (1700, 451), (2500, 451), 800).cause is EndCause.IMPASSABLE


@given(
    spots,
    spots,
    st.integers(0, 900),
    st.lists(spots, max_size=4),
    st.lists(spots, max_size=4),
    st.sampled_from([LAKE, WOOD]),
)
@settings(max_examples=300, deadline=None)
def test_a_clipped_move_is_legal(
    start: Point, goal: Point, allowance: int, enemies: list[Point], friends: list[Point], feature: Area
) -> None:
    features = table(feature, Barrier("fence", ((1000, 1000), (1500, 1400), (1500, 2500))))
    foes = tuple([Base(FigureId(f"e{n}"), at, 50) for n, at in enumerate(enemies)])
    mates = tuple([Base(FigureId(f"f{n}"), at, 50) for n, at in enumerate(friends)])
    way = way_on(features, foes, mates)
    assume(straight_move_fault(way, start, start, allowance) is None)
    end = clip_move(way, start, goal, allowance)
    assert straight_move_fault(way, start, end.point, allowance) is None
    assert squared(start, end.point) <= allowance * allowance
    assert end.cause is not EndCause.GOAL or end.point == goal
    if straight_move_fault(way, start, goal, allowance) is None:
        assert end == MoveEnd(goal, EndCause.GOAL)


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


def test_a_place_is_free_on_the_table_and_beside_friends() -> None:
    way = way_on(OPEN, (), (Base(FigureId("friend"), (1500, 1000), 50),))
    assert is_free(way, (1400, 1000))
    assert not is_free(way, (1401, 1000))
    assert is_free(way, (50, 50))
    assert not is_free(way, (49, 50))


def test_near_a_path_is_what_a_base_on_it_may_touch() -> None:
    near, far, fence = (
        Base(FigureId("near"), (1000, 1105), 50),
        Base(FigureId("far"), (1000, 1106), 50),
        Barrier("fence", ((0, 0), (9, 9))),
    )
    way = nearby(way_on(table(LAKE, WALL, fence), (near, far), (far, near)), box_between((1000, 1000), (1945, 1000)))
    assert (way.stopping, way.passing) == ((near,), (near,))
    assert [area.id for area in way.scenery.areas] == ["lake"], "within the radius and a touch"
    assert way.scenery.barriers == (), "barriers are crossed by the centre"


def test_what_is_not_near_changes_nothing() -> None:
    random = Random(14)
    for _ in range(100):
        way = Way(ground(random), 50, 100, bases(random, 8), bases(random, 4))
        start, goal = place(random), place(random)
        assert clip_move(way, start, goal, 900) == clip_among(way, start, goal, 900)
