"""Contact of bases and straight moves: what stops a path, where, and that every clipped move is legal."""

from __future__ import annotations

from hypothesis import assume, given, settings, strategies as st

from engine.space.contact import Base, contact_point, gap, gap_at_most, overlaps, touches
from engine.space.departures import clip_departure, departure_origin
from engine.space.features import Area, Barrier, Scenery, scenery
from engine.space.moves import Cause, MoveEnd, Way, clip_move, straight_move_fault
from engine.space.reach import DIRECTIONS, departure_region, reach_region
from engine.space.sections import edges_held, section_at, sections
from engine.space.vectors import Point, squared

OPEN = scenery(7_200, 4_800, [], [])
WOOD = Area("wood", ((2000, 500), (2600, 500), (2600, 1500), (2000, 1500)), blocks_sight=True)
LAKE = Area("lake", WOOD.outline, impassable=True)
WALL = Barrier("wall", ((2000, 500), (2000, 1500)))


def on(ground: Scenery, stopping: tuple[Base, ...] = (), passing: tuple[Base, ...] = ()) -> Way:
    return Way(ground, radius=50, beyond=100, stopping=stopping, passing=passing)


def table(*features: Area | Barrier) -> Scenery:
    areas = [f for f in features if isinstance(f, Area)]
    return scenery(7_200, 4_800, areas, [f for f in features if isinstance(f, Barrier)])


def test_gaps() -> None:
    a = Base("a", (0, 0), 50)
    assert gap(a, Base("b", (130, 0), 50)) == 30
    assert touches(a, Base("b", (104, 0), 50))
    assert not touches(a, Base("b", (105, 0), 50))
    assert not overlaps(a, Base("b", (100, 0), 50))
    assert overlaps(a, Base("b", (99, 0), 50))
    assert gap_at_most(a, Base("b", (300, 0), 50), 200)
    assert not gap_at_most(a, Base("b", (301, 0), 50), 200)


coordinates = st.integers(0, 3_000)
spots = st.tuples(coordinates, coordinates)


@given(spots, spots, st.integers(10, 200), st.integers(10, 200))
def test_a_contact_point_touches_without_overlap(a: Point, b: Point, own: int, other: int) -> None:
    still = Base("still", b, other)
    met = Base("moving", contact_point(Base("moving", a, own), still), own)
    assert touches(met, still)
    assert not overlaps(met, still)


def test_an_open_move_goes_as_far_as_allowed() -> None:
    assert clip_move(on(OPEN), (1000, 1000), (1500, 1000), 800) == MoveEnd((1500, 1000), Cause.GOAL)
    assert clip_move(on(OPEN), (1000, 1000), (5000, 1000), 800) == MoveEnd((1800, 1000), Cause.ALLOWANCE)
    fault = straight_move_fault(on(OPEN), (1000, 1000), (1801, 1000), 800)
    assert fault == MoveEnd((1801, 1000), Cause.ALLOWANCE)
    assert clip_move(on(OPEN), (1000, 1000), (1000, 1000), 800) == MoveEnd((1000, 1000), Cause.GOAL)


def test_the_table_has_an_edge() -> None:
    assert clip_move(on(OPEN), (300, 1000), (-300, 1000), 800) == MoveEnd((50, 1000), Cause.TABLE_EDGE)
    fault = straight_move_fault(on(OPEN), (300, 1000), (49, 1000), 800)
    assert fault == MoveEnd((49, 1000), Cause.TABLE_EDGE)


def test_who_begins_over_the_edge_of_the_table_goes_nowhere_along_it() -> None:
    """As one does who would get out by a door of a vehicle that stands at the edge."""
    for x in (20, OPEN.width - 20):
        assert clip_move(on(OPEN), (x, 1000), (x, 1800), 800) == MoveEnd((x, 1000), Cause.TABLE_EDGE)


def test_the_path_ends_at_the_first_enemy() -> None:
    enemy, behind = Base("enemy", (1500, 1010), 50), Base("behind", (1620, 1000), 50)
    end = clip_move(on(OPEN, (behind, enemy)), (1000, 1000), (1800, 1000), 800)
    assert (end.cause, end.what) == (Cause.CONTACT, "enemy")
    met = Base("", end.point, 50)
    assert touches(met, enemy)
    assert not overlaps(met, enemy)
    past = straight_move_fault(on(OPEN, (enemy,)), (1000, 1000), (1800, 1000), 800)
    assert past == MoveEnd((1800, 1000), Cause.CONTACT, "enemy")


def test_brushing_past_an_enemy_is_contact() -> None:
    enemy = Base("enemy", (1500, 1103), 50)
    end = clip_move(on(OPEN, (enemy,)), (1000, 1000), (1800, 1000), 800)
    assert (end.cause, end.what) == (Cause.CONTACT, "enemy")
    assert touches(Base("", end.point, 50), enemy)
    wide = Base("wide", (1500, 1105), 50)
    assert clip_move(on(OPEN, (wide,)), (1000, 1000), (1800, 1000), 800).cause is Cause.GOAL


def test_an_enemy_in_contact_may_be_left() -> None:
    enemy = Base("enemy", (1102, 1000), 50)
    assert clip_move(on(OPEN, (enemy,)), (1000, 1000), (500, 1000), 800).cause is Cause.GOAL
    assert clip_move(on(OPEN, (enemy,)), (1000, 1000), (1000, 1500), 800).cause is Cause.GOAL
    assert clip_move(on(OPEN, (enemy,)), (1000, 1000), (1500, 1000), 800).cause is Cause.CONTACT


def test_friends_are_passed_but_not_stood_upon() -> None:
    friend = Base("friend", (1500, 1000), 50)
    assert clip_move(on(OPEN, (), (friend,)), (1000, 1000), (1700, 1000), 800).cause is Cause.GOAL
    end = clip_move(on(OPEN, (), (friend,)), (1000, 1000), (1520, 1000), 800)
    assert end == MoveEnd((1400, 1000), Cause.OVERLAP, "friend")


def test_entering_an_area_ends_the_move_just_inside() -> None:
    end = clip_move(on(table(WOOD)), (1700, 1000), (2500, 1000), 800)
    assert end == MoveEnd((2100, 1000), Cause.AREA, "wood")
    assert straight_move_fault(on(table(WOOD)), (1700, 1000), (2040, 1000), 800) is None
    corner = straight_move_fault(on(table(WOOD)), (1900, 560), (2080, 470), 800)
    assert corner == MoveEnd((2080, 470), Cause.AREA, "wood"), "who cuts a corner has entered"
    cut = clip_move(on(table(WOOD)), (1900, 560), (2080, 470), 800).point
    assert table(WOOD).areas_at(cut) == ("wood",)
    assert clip_move(on(table(WOOD)), (2100, 1000), (2500, 1000), 800).cause is Cause.GOAL


def test_crossing_a_barrier_ends_the_move_just_beyond() -> None:
    end = clip_move(on(table(WALL)), (1700, 1000), (2500, 1000), 800)
    assert end == MoveEnd((2100, 1000), Cause.BARRIER, "wall")
    on_it = straight_move_fault(on(table(WALL)), (1700, 1000), (2000, 1000), 800)
    assert on_it == MoveEnd((2000, 1000), Cause.BARRIER, "wall")


def test_a_second_barrier_is_not_crossed() -> None:
    second = Barrier("second", ((2060, 500), (2060, 1500)))
    end = clip_move(on(table(WALL, second)), (1700, 1000), (2500, 1000), 800)
    assert end == MoveEnd((2059, 1000), Cause.BARRIER, "wall")


def test_a_wall_on_the_edge_of_its_yard_is_crossed_with_it() -> None:
    end = clip_move(on(table(WOOD, WALL)), (1700, 1000), (2500, 1000), 800)
    assert end.point == (2100, 1000)


def test_impassable_ground_is_not_overlapped() -> None:
    assert clip_move(on(table(LAKE)), (1700, 1000), (2500, 1000), 800) == MoveEnd(
        (1950, 1000), Cause.IMPASSABLE, "lake"
    )
    assert clip_move(on(table(LAKE)), (1700, 450), (2500, 450), 800).cause is Cause.GOAL
    assert clip_move(on(table(LAKE)), (1700, 451), (2500, 451), 800).cause is Cause.IMPASSABLE


@given(spots, spots, st.integers(0, 900), st.lists(spots, max_size=4), st.lists(spots, max_size=4), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_clipped_move_is_legal(
    start: Point, goal: Point, allowance: int, enemies: list[Point], friends: list[Point], lake: bool
) -> None:
    ground = table(LAKE if lake else WOOD, Barrier("fence", ((1000, 1000), (1500, 1400), (1500, 2500))))
    foes = tuple([Base(f"e{n}", at, 50) for n, at in enumerate(enemies)])
    mates = tuple([Base(f"f{n}", at, 50) for n, at in enumerate(friends)])
    way = on(ground, foes, mates)
    assume(straight_move_fault(way, start, start, allowance) is None)
    end = clip_move(way, start, goal, allowance)
    assert straight_move_fault(way, start, end.point, allowance) is None
    assert squared(start, end.point) <= allowance * allowance
    assert end.cause is not Cause.GOAL or end.point == goal
    if straight_move_fault(way, start, goal, allowance) is None:
        assert end == MoveEnd(goal, Cause.GOAL)


def test_leaving_an_area_is_measured_from_its_edge() -> None:
    way = on(table(WOOD))
    edges = way.scenery.area("wood").edges
    assert departure_origin(way, edges, (3400, 1000), 800) == (2600, 1000)
    assert departure_origin(way, edges, (3401, 1000), 800) is None
    departure = clip_departure(way, edges, (4000, 1000), 800)
    assert (departure.origin, departure.end) == ((2600, 1000), MoveEnd((3400, 1000), Cause.ALLOWANCE))


def test_an_enemy_in_the_way_is_gone_round_from_another_edge_point() -> None:
    way = on(table(WOOD), (Base("enemy", (2900, 1000), 50),))
    origin = departure_origin(way, way.scenery.area("wood").edges, (3200, 1000), 800)
    assert origin is not None
    assert origin != (2600, 1000)
    assert straight_move_fault(way, origin, (3200, 1000), 800) is None


def test_a_door_is_an_edge_of_no_length() -> None:
    way, door = on(table(WOOD)), (((2600, 700), (2600, 700)),)
    assert departure_origin(way, door, (3000, 700), 800) == (2600, 700)
    assert departure_origin(way, door, (1500, 700), 800) is None


RIVER = Area("river", ((0, 1000), (3000, 1000), (3000, 1200), (0, 1200)))


def test_a_long_area_is_left_from_the_section_that_is_held() -> None:
    river = table(RIVER).area("river")
    assert len(sections(river, 1200, 600)) == 6
    assert len(sections(table(WOOD).area("wood"), 1200, 600)) == 1
    assert [section_at(river, (x, 1100), 1200, 600) for x in (0, 700, 1500, 3000)] == [0, 1, 2, 5]
    held = edges_held(river, [(100, 1100), (200, 1100)], 1200, 600)
    assert held
    assert max(p[0] for edge in held for p in edge) < 700
    assert edges_held(river, [(100, 900)], 1200, 600) == ()
    whole = {p for s in sections(river, 1200, 600) for edge in s.edges for p in edge}
    assert set(RIVER.outline) <= whole


def test_reach_is_round_in_the_open_and_clipped_elsewhere() -> None:
    assert len(DIRECTIONS) == 48
    assert all(9_990**2 < squared((0, 0), d) < 10_010**2 for d in DIRECTIONS)
    free = reach_region(on(OPEN), (3000, 2000), 800)
    assert len(free) == 48
    assert all(790**2 <= squared((3000, 2000), p) <= 800**2 for p in free)
    clipped = reach_region(on(table(LAKE)), (1800, 1000), 800)
    assert max(x for x, y in clipped if abs(y - 1000) < 100) <= 1950
    out = departure_region(on(table(WOOD)), table(WOOD).area("wood").edges, (2300, 1000), 800, 700)
    assert max(x for x, _ in out) == 3400
