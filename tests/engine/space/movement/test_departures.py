"""Moves that leave a feature: measured from an edge of it, or from a door."""

from __future__ import annotations

from hypothesis import given, strategies as st

from engine.space.movement.departures import clip_departure, departure_origin, is_far
from engine.space.movement.moves import EndCause, MoveEnd, straight_move_fault
from engine.space.terrain.contact import Base
from engine.space.vectors.points import Point, within
from protocol.ids import FigureId
from tests.support.reference.small_tables import OPEN, WALL, WOOD, table, way_on

EDGES = table(WOOD).area("wood").edges


def test_leaving_an_area_is_measured_from_its_edge() -> None:
    way = way_on(table(WOOD))
    assert departure_origin(way, EDGES, (3400, 1000), 800) == (2600, 1000)
    assert departure_origin(way, EDGES, (3401, 1000), 800) is None
    departure = clip_departure(way, EDGES, (4000, 1000), 800)
    assert (departure.origin, departure.end) == ((2600, 1000), MoveEnd((3400, 1000), EndCause.ALLOWANCE))


def test_an_enemy_in_the_way_is_gone_round_from_another_edge_point() -> None:
    way = way_on(table(WOOD), (Base(FigureId("enemy"), (2900, 1000), 50),))
    origin = departure_origin(way, EDGES, (3200, 1000), 800)
    assert origin == (2600, 750), "50 apart from the corner; from 200 aside the way passes within 95 of the enemy"


def test_a_way_that_nothing_leads_round_is_gone_as_far_as_it_goes() -> None:
    enemy = Base(FigureId("enemy"), (3200, 1000), 50)
    departure = clip_departure(way_on(table(WOOD), (enemy,)), EDGES, (3200, 1000), 800)
    assert departure.origin == (2600, 1000)
    assert (departure.end.cause, departure.end.what) == (EndCause.CONTACT, "enemy")


def test_a_door_is_an_edge_of_no_length() -> None:
    way, door = way_on(table(WOOD)), (((2600, 700), (2600, 700)),)
    assert departure_origin(way, door, (3000, 700), 800) == (2600, 700)
    assert departure_origin(way, door, (1500, 700), 800) is None
    shut = way_on(table(WALL))
    assert departure_origin(shut, (((1900, 700), (1900, 700)),), (2200, 700), 800) is None


def test_far_is_what_rounding_does_not_bring_near() -> None:
    assert not is_far((0, 0), (803, 0), 800)
    assert is_far((0, 0), (804, 0), 800)


spots = st.tuples(st.integers(1_000, 3_600), st.integers(100, 2_400))


@given(spots, st.lists(spots, max_size=5), st.integers(0, 900))
def test_from_where_a_move_is_said_to_leave_it_is_legal(goal: Point, enemies: list[Point], allowance: int) -> None:
    way = way_on(OPEN, tuple([Base(FigureId(str(n)), at, 50) for n, at in enumerate(enemies)]))
    origin = departure_origin(way, EDGES, goal, allowance)
    departure = clip_departure(way, EDGES, goal, allowance)
    if origin is None:
        assert departure.end.point != goal or straight_move_fault(way, departure.origin, goal, allowance) is not None
        return
    assert straight_move_fault(way, origin, goal, allowance) is None
    assert within(origin, goal, allowance)
    assert origin[0] in (2000, 2600) or origin[1] in (500, 1500)
    assert (departure.origin, departure.end) == (origin, MoveEnd(goal, EndCause.GOAL))
