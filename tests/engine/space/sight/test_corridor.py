"""The corridor between two groups: everything that meets a line between them comes near it."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings, strategies as st

from engine.space.sight.corridor import Corridor
from engine.space.sight.lines import Formation
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Box, Point, boxes_meet, segments_meet
from protocol.ids import GroupId
from tests.support.faults.crowded_tables import ground, place
from tests.support.reference.small_tables import group

B = GroupId("b")

A = GroupId("a")


def meets(a: Point, b: Point, box: Box) -> bool:
    (left, bottom), (right, _), (_, top), _ = corners = outline_of(box)
    within = boxes_meet((*a, *a), (left, bottom, right, top))
    return within or any(segments_meet(a, b, corners[n - 1], corners[n]) for n in range(4))


DIAGONAL = Corridor(group(A, (0, 0)), group(B, (1000, 1000)))


def test_a_box_beside_the_strip_is_not_near() -> None:
    assert DIAGONAL.comes_near((450, 450, 460, 460))
    assert not DIAGONAL.comes_near((0, 900, 50, 1000))
    assert not DIAGONAL.comes_near((900, 0, 1000, 50))
    assert DIAGONAL.comes_near((500, 400, 600, 500)), "a corner on the line"
    assert not DIAGONAL.comes_near((501, 400, 600, 500))


def test_a_box_behind_either_group_is_not_near() -> None:
    assert DIAGONAL.comes_near((1000, 1000, 1100, 1100))
    assert not DIAGONAL.comes_near((1001, 1001, 1100, 1100))
    assert not DIAGONAL.comes_near((-100, -100, -1, -1))


def test_a_corridor_is_as_wide_as_its_groups() -> None:
    wide = Corridor(group(A, (0, 0), (0, 300)), group(B, (1000, 100)))
    assert wide.comes_near((100, 260, 200, 280))
    assert not wide.comes_near((100, 301, 200, 320))


def test_groups_at_one_place_have_that_place_between_them() -> None:
    here = Corridor(group(A, (500, 500)), group(B, (500, 500)))
    assert here.comes_near((500, 500, 600, 600))
    assert not here.comes_near((501, 500, 600, 600))


small = st.tuples(st.integers(0, 12), st.integers(0, 12))
groups = st.lists(small, min_size=1, max_size=4).map(lambda centres: group(GroupId("group"), *centres))


@given(groups, groups, small, small)
@settings(max_examples=300)
def test_no_box_is_left_out_that_a_line_meets(a: Formation, b: Formation, corner: Point, size: Point) -> None:
    box = (*corner, corner[0] + size[0], corner[1] + size[1])
    if any(meets(p, q, box) for p in a.centres for q in b.centres):
        assert Corridor(a, b).comes_near(box)
        assert Corridor(b, a).comes_near(box)


def test_what_may_hide_is_near_and_blocks_sight() -> None:
    wood, pond = Area("wood", outline_of((400, 400, 600, 600)), blocks_sight=True), outline_of((400, 400, 600, 600))
    far = Barrier("far", ((0, 900), (50, 1000)), blocks_sight=True)
    features = scenery(
        1000, 1000, [wood, Area("pond", pond)], [far, Barrier("wall", ((0, 9), (9, 0)), blocks_sight=True)]
    )
    assert [area.id for area in DIAGONAL.blocking(features.areas)] == ["wood"]
    assert [barrier.id for barrier in DIAGONAL.blocking(features.barriers)] == ["wall"]


def test_what_may_hide_is_all_that_comes_near() -> None:
    random, left_out = Random(4), 0
    for _ in range(100):
        features = ground(random)
        corridor = Corridor(group(A, place(random), place(random)), group(B, place(random)))
        near = [area for area in features.areas if corridor.comes_near(area.box)]
        left_out += len(features.areas) - len(near)
        assert corridor.blocking(features.areas) == near
        assert corridor.blocking(features.barriers) == [b for b in features.barriers if corridor.comes_near(b.box)]
    assert left_out > 100
