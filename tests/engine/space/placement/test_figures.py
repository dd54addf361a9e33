"""Figures around their lead: the default stands well, and each wrong place has its reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.placement.figures import Misplaced, Misplacement, Room, check_placement, place_around
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, Scenery, scenery
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point
from protocol.ids import FigureId

FIGURE_LEAD = FigureId("lead")

OPEN = scenery(7_200, 4_800, [], [])
LEAD = Base(FIGURE_LEAD, (2000, 1000), 50)
TEN = [(FigureId(f"f{n}"), 50) for n in range(10)]


def box(
    id: str, left: int, bottom: int, right: int, top: int, *, blocks: bool = False, impassable: bool = False
) -> Area:
    return Area(id, outline_of((left, bottom, right, top)), blocks_sight=blocks, impassable=impassable)


def room(ground: Scenery = OPEN, spread: int = 300) -> Room:
    return Room(ground, LEAD, spread)


def fault_at(place: Room, at: Point) -> tuple[Misplaced, str | int | None] | None:
    fault = check_placement(place, [Base(FigureId("x"), at, 50)])
    return None if fault is None else (fault.reason, fault.what)


def test_ten_figures_stand_close_and_well() -> None:
    placed = place_around(room(), TEN)
    assert [b.id for b in placed] == [id for id, _ in TEN]
    assert check_placement(room(), placed) is None
    assert place_around(room(), TEN) == placed
    assert max(abs(b.at[0] - 2000) for b in placed) <= 250


def test_nobody_stands_beyond_the_lead() -> None:
    ahead = Room(OPEN, LEAD, 300, heading=(700, 0))
    placed = place_around(ahead, TEN)
    assert len(placed) == 10
    assert all(b.at[0] <= 2000 for b in placed)
    assert fault_at(ahead, (2001, 1200)) == (Misplaced.BEYOND_LEAD, None)
    assert fault_at(ahead, (2000, 1200)) is None


def test_each_wrong_place_has_its_reason() -> None:
    other, foe = Base(FigureId("other"), (2000, 1200), 50), Base(FigureId("foe"), (1700, 1000), 50)
    ground = scenery(
        7_200,
        4_800,
        [box("pit", 2150, 900, 2250, 1100, impassable=True), box("house", 1800, 700, 1900, 900, blocks=True)],
        [Barrier("wall", ((1900, 1110), (1970, 1300)))],
    )
    place = Room(ground, LEAD, 300, bases=(other,), shunned=(foe,))
    assert fault_at(place, (2000, 1401)) == (Misplaced.TOO_FAR, None)
    assert fault_at(place, (2099, 1000)) == (Misplaced.OVERLAP, "lead")
    assert fault_at(place, (2000, 1299)) == (Misplaced.OVERLAP, "other")
    assert fault_at(place, (1804, 1000)) == (Misplaced.TOUCHES, "foe")
    assert fault_at(place, (1805, 1000)) is None
    assert fault_at(place, (2101, 1000)) == (Misplaced.IMPASSABLE, "pit")
    assert fault_at(place, (2310, 1000)) == (Misplaced.UNREACHABLE, "pit")
    assert fault_at(place, (1850, 850)) == (Misplaced.OTHER_AREA, "house")
    assert fault_at(place, (1760, 760)) == (Misplaced.UNREACHABLE, "house")
    assert fault_at(place, (1850, 1200)) == (Misplaced.BARRIER, "wall")
    edge = Room(OPEN, Base(FIGURE_LEAD, (60, 60), 50), 300)
    assert fault_at(edge, (200, 49)) == (Misplaced.OFF_TABLE, None)
    twice = check_placement(place, [Base(FigureId("a"), (2000, 880), 50), Base(FigureId("b"), (2050, 850), 50)])
    assert twice == Misplacement(FigureId("b"), Misplaced.OVERLAP, "a")
    assert check_placement(place, []) is None


def test_a_group_stays_in_the_feature_of_its_lead() -> None:
    wood = scenery(7_200, 4_800, [box("wood", 1900, 800, 2600, 1200, blocks=True)], [])
    placed = place_around(room(wood), TEN)
    assert len(placed) == 10
    assert all(wood.areas_at(b.at) == ("wood",) for b in placed)
    assert check_placement(room(wood), placed) is None


def test_who_finds_no_room_stands_at_the_edge() -> None:
    hut = scenery(7_200, 4_800, [box("hut", 1900, 900, 2150, 1150, blocks=True)], [])
    within = place_around(room(hut), TEN)
    assert 2 <= len(within) < 10
    outside = Room(hut, LEAD, 200, fringe="hut")
    left = [figure for figure in TEN if figure[0] not in {b.id for b in within}]
    around = place_around(outside, left, within)
    assert len(within) + len(around) == 10
    assert all(hut.areas_at(b.at) == () for b in around)
    assert check_placement(outside, around) is None
    assert fault_at(outside, (2401, 1000)) == (Misplaced.TOO_FAR, "hut")
    assert fault_at(outside, (2400, 1000)) is None
    assert fault_at(outside, (2100, 1100)) == (Misplaced.OTHER_AREA, "hut")


def test_no_room_at_all_places_nobody() -> None:
    ring = [
        box(str(n), x, y, x + 400, y + 400, impassable=True) for n, (x, y) in enumerate([(2060, 600), (2060, 1000)])
    ]
    ring += [box("w", 1540, 600, 1940, 1400, impassable=True), box("s", 1940, 500, 2060, 940, impassable=True)]
    ring += [box("n", 1940, 1060, 2060, 1500, impassable=True)]
    assert place_around(room(scenery(7_200, 4_800, ring, [])), TEN) == ()


cells = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda p: (1500 + 25 * p[0], 500 + 25 * p[1]))


@given(
    st.lists(cells, max_size=8),
    st.lists(cells, max_size=3),
    cells,
    st.sampled_from([(0, 0), (3, -2)]),
    st.lists(st.sampled_from([30, 50, 80]), min_size=1, max_size=10),
)
@settings(max_examples=100, deadline=None)
def test_default_placement_is_always_good(
    friends: list[Point], foes: list[Point], corner: Point, heading: Point, radii: list[int]
) -> None:
    x, y = corner
    ground = scenery(
        7_200,
        4_800,
        [box("wood", x, y, x + 300, y + 300, blocks=True), box("pit", 1000, 1150, 2300, 1250, impassable=True)],
        [Barrier("fence", ((1700, 500), (1900, 900), (1900, 1500)))],
    )
    place = Room(
        ground,
        LEAD,
        300,
        heading,
        tuple([Base(FigureId(f"friend{n}"), at, 50) for n, at in enumerate(friends)]),
        tuple([Base(FigureId(f"foe{n}"), at, 50) for n, at in enumerate(foes)]),
    )
    placed = place_around(place, [(FigureId(str(n)), radius) for n, radius in enumerate(radii)])
    assert check_placement(place, placed) is None


@pytest.mark.parametrize("radius", [50, 98, 125])
def test_other_sizes_of_bases_find_room_too(radius: int) -> None:
    place = Room(OPEN, Base(FIGURE_LEAD, (2000, 1000), radius), 6 * radius)
    placed = place_around(place, [(FigureId(str(n)), radius) for n in range(10)])
    assert len(placed) == 10
    assert check_placement(place, placed) is None
