"""Areas, barriers and prepared tables: points held, lines crossed and pierced, things near."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings, strategies as st

from engine.space.terrain.features import Area, Barrier, crosses_within, scenery, with_areas
from engine.space.vectors.hulls import hull_of
from engine.space.vectors.outlines import Outline, through_interior
from engine.space.vectors.points import Point, Segment
from tests.support.reference import slow_sight

SQUARE: Outline = ((0, 0), (100, 0), (100, 100), (0, 100))
ELL: Outline = ((0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300))
FENCE = Barrier("fence", ((500, 0), (500, 500), (800, 500)))
TABLE = scenery(1000, 1000, [Area("wood", SQUARE), Area("ell", ELL)], [FENCE])

small = st.tuples(st.integers(0, 6), st.integers(0, 6))


def test_what_holds_a_point() -> None:
    assert TABLE.areas_at((100, 100)) == ("wood", "ell")
    assert TABLE.areas_at((150, 50)) == ("ell",)
    assert TABLE.areas_at((200, 200)) == (), "in the box of the ell, not in it"
    assert TABLE.areas_at((500, 500)) == ()
    assert not TABLE.area("ell").holds((200, 200))
    assert TABLE.area("ell").holds((300, 100))


def test_a_way_leads_through_areas_and_over_barriers() -> None:
    assert [area.id for area in TABLE.areas_on((-50, 50), (150, 50))] == ["wood", "ell"]
    assert [area.id for area in TABLE.areas_on((200, 50), (600, 50))] == ["ell"], "it begins there"
    assert TABLE.areas_on((150, 150), (290, 290)) == (), "in the box of the ell, not in it"
    assert [barrier.id for barrier in TABLE.barriers_on((450, 100), (550, 100))] == ["fence"]
    assert TABLE.barriers_on((550, 100), (650, 400)) == ()


def test_a_feature_is_asked_for_by_its_id() -> None:
    assert TABLE.area("ell").box == (0, 0, 300, 300)
    assert TABLE.barrier("fence").edges == (((500, 0), (500, 500)), ((500, 500), (800, 500)))
    with pytest.raises(KeyError, match="fence"):
        TABLE.area("fence")
    with pytest.raises(KeyError, match="wood"):
        TABLE.barrier("wood")


def test_an_area_is_prepared_counter_clockwise_with_its_shape() -> None:
    area = scenery(1000, 1000, [Area("wood", SQUARE[::-1], blocks_sight=True, impassable=True)], []).areas[0]
    assert area.outline[(area.outline.index((0, 0)) + 1) % 4] == (100, 0)
    assert area.convex
    assert area.blocks_sight
    assert area.impassable
    assert not TABLE.area("ell").convex
    assert not TABLE.area("ell").blocks_sight
    assert not TABLE.area("ell").impassable


def test_features_that_are_none_are_refused() -> None:
    for line in (((0, 0),), (), ((0, 0), (5, 5), (5, 5))):
        with pytest.raises(ValueError, match="barrier w"):
            scenery(100, 100, [], [Barrier("w", line)])
    with pytest.raises(ValueError, match="outline"):
        scenery(100, 100, [Area("line", SQUARE[:2])], [])
    with pytest.raises(ValueError, match="outline"):
        with_areas(TABLE, [Area("line", SQUARE[:2])])


def test_more_areas_come_after_those_of_the_table() -> None:
    more = with_areas(TABLE, [Area("smoke", SQUARE)])
    assert more.areas_at((50, 50)) == ("wood", "ell", "smoke")
    assert TABLE.areas_at((50, 50)) == ("wood", "ell")
    assert (more.width, more.height, more.barriers) == (1000, 1000, TABLE.barriers)


def test_what_is_near_a_box_meets_it_with_its_own() -> None:
    assert [area.id for area in TABLE.areas_near((300, 300, 400, 400))] == ["ell"]
    assert [area.id for area in TABLE.areas_near((100, 0, 100, 0))] == ["wood", "ell"]
    assert TABLE.areas_near((301, 0, 400, 400)) == ()
    assert TABLE.barriers_near((600, 0, 700, 100)) == TABLE.barriers
    assert TABLE.barriers_near((0, 0, 499, 900)) == ()


def test_a_base_may_touch_the_edge_of_the_table() -> None:
    assert TABLE.has_disc((50, 950), 50)
    assert [TABLE.has_disc(p, 50) for p in [(49, 900), (951, 900), (900, 49), (900, 951)]] == [False] * 4


def test_a_barrier_is_crossed_by_touching_it() -> None:
    fence = TABLE.barrier("fence")
    assert fence.crossed_by((400, 0), (600, 0))
    assert not fence.crossed_by((400, -1), (600, -1))
    assert fence.crossed_by((700, 600), (700, 500))
    assert fence.crossed_by((800, 500), (800, 500))
    assert not fence.crossed_by((600, 400), (600, 0)), "in its box"


def test_near_a_barrier_is_strict() -> None:
    fence = TABLE.barrier("fence")
    assert not fence.near((450, 100), 50)
    assert fence.near((451, 100), 50)
    assert not fence.near((803, 504), 5)
    assert fence.near((803, 504), 6)
    assert not fence.near((600, 400), 100)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7), st.data())
def test_the_quick_way_through_an_area_is_the_plain_one(cloud: list[Point], data: st.DataObject) -> None:
    hull = hull_of(cloud)
    assume(len(hull) > 2)
    area = scenery(10, 10, [Area("hull", hull)], []).areas[0]
    ends = st.tuples(st.integers(-1, 10), st.integers(-1, 10))
    a, b = data.draw(ends), data.draw(ends)
    assert area.pierced_by(a, b) == through_interior(a, b, hull)


def test_a_way_of_no_length_pierces_what_it_is_strictly_inside_of() -> None:
    wood = TABLE.area("wood")
    assert wood.pierced_by((50, 50), (50, 50))
    assert not wood.pierced_by((100, 50), (100, 50))


def test_a_bay_is_not_pierced() -> None:
    ell = TABLE.area("ell")
    assert not ell.pierced_by((200, 300), (300, 200))
    assert not ell.pierced_by((100, 300), (300, 100))
    assert ell.pierced_by((0, 200), (200, 0))
    assert ell.pierced_by((50, 50), (50, 50))


def test_a_line_of_fire_that_crosses_close_to_its_target() -> None:
    wall = (((0, 0), (0, 100)),)
    assert crosses_within((-300, 50), (100, 50), wall, (100, 50), 100)
    assert not crosses_within((-300, 50), (101, 50), wall, (101, 50), 100)
    assert not crosses_within((-300, 150), (50, 150), wall, (50, 150), 100)
    assert crosses_within((0, -300), (0, 150), wall, (0, 150), 50)
    assert not crosses_within((0, -300), (0, 150), wall, (0, 151), 50)


@given(small, small, st.lists(st.tuples(small, small), max_size=2), small, st.integers(0, 4))
@settings(max_examples=200)
def test_crossings_are_as_near_as_fractions_say(
    a: Point, b: Point, edges: list[Segment], p: Point, distance: int
) -> None:
    start, end, at = [slow_sight.place(*q) for q in (a, b, p)]
    near = False
    for c, d in edges:
        shares = slow_sight.meeting_shares(start, end, slow_sight.place(*c), slow_sight.place(*d))
        if shares:
            first, last = [slow_sight.between(start, end, share) for share in (shares[0], shares[-1])]
            near = near or slow_sight.point_to_segment(at, first, last) <= distance**2
    assert crosses_within(a, b, edges, p, distance) is near
