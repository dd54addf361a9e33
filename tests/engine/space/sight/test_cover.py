"""Shelters of a figure from a shooter: in, behind, too far behind, too near to the shooter; beside fractions."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings, strategies as st

from engine.space.sight.cover import Shelter, shelters
from engine.space.terrain.contact import Base
from engine.space.terrain.features import Area, Barrier, crosses_within, scenery
from engine.space.terrain.footprints import BoxBase, Footprint
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from tests.support.reference import slow_sight

HEDGE = Barrier("hedge", ((1_000, 0), (1_000, 1_000)))
WOOD = Area("wood", outline_of((2_000, 0, 3_000, 1_000)))
GROUND = scenery(7_200, 4_800, [WOOD], [HEDGE])
IN_WOOD, BEHIND_HEDGE = Shelter("wood", is_in=True), Shelter("hedge", is_in=False)


def man(x: int, y: int = 500) -> Base:
    return Base(FigureId(f"{x}/{y}"), (x, y), 50)


def test_one_who_stands_in_a_feature_is_sheltered_by_it() -> None:
    assert shelters(GROUND, man(0), man(2_500), 200) == [IN_WOOD]
    assert shelters(GROUND, man(0), man(2_500), 200, without=["wood"]) == []
    assert shelters(GROUND, man(4_000), man(2_000), 200) == [IN_WOOD], "its edge belongs to it"


def test_a_feature_shelters_those_close_behind_it() -> None:
    assert shelters(GROUND, man(0), man(1_250), 200) == [BEHIND_HEDGE]
    assert shelters(GROUND, man(0), man(1_251), 200) == []
    assert shelters(GROUND, man(1_900), man(1_250), 200) == [], "not between them"
    assert shelters(GROUND, man(0), man(3_250), 200) == [Shelter("wood", is_in=False)]
    assert shelters(GROUND, man(0), BoxBase((1_350, 500), 0, 300, 100), 200) == [BEHIND_HEDGE]
    assert shelters(GROUND, man(0), BoxBase((1_351, 500), 0, 300, 100), 200) == []


def test_what_is_close_to_the_shooter_does_not_count() -> None:
    assert shelters(GROUND, man(750), man(1_100), 200) == [BEHIND_HEDGE]
    assert shelters(GROUND, man(750), man(1_100), 200, own=200) == []
    assert shelters(GROUND, man(749), man(1_100), 200, own=200) == [BEHIND_HEDGE]


def test_the_same_figure_is_open_to_one_and_sheltered_from_another() -> None:
    assert shelters(GROUND, man(0), man(1_100), 100) == [BEHIND_HEDGE]
    assert shelters(GROUND, man(1_500), man(1_100), 100) == []


spots = st.tuples(st.integers(0, 30), st.integers(0, 30))
boxes = st.builds(BoxBase, spots, st.just(0), st.just(6), st.just(4))
footprints = st.one_of(st.builds(Base, st.just(FigureId("a")), spots, st.integers(1, 4)), boxes)
walls = st.lists(spots, min_size=2, max_size=3, unique=True).map(tuple)


def far(p: slow_sight.Place, footprint: Footprint, most: int) -> bool:
    """Tell by fractions whether a point is more than so far from a footprint."""
    if isinstance(footprint, Base):
        return slow_sight.squared_distance(p, slow_sight.place(*footprint.at)) > (footprint.radius + most) ** 2
    outline = [slow_sight.place(*q) for q in footprint.outline()]
    if slow_sight.strictly_inside(p, outline):
        return False
    return min(slow_sight.point_to_segment(p, a, b) for a, b in slow_sight.edges(outline)) > most**2


@given(footprints, footprints, walls, st.integers(0, 6), st.integers(-1, 6))
@settings(max_examples=250, deadline=None)
def test_a_wall_shelters_where_fractions_say_so(
    shooter: Footprint, target: Footprint, line: tuple[Point, ...], behind: int, own: int
) -> None:
    start, end = slow_sight.place(*shooter.at), slow_sight.place(*target.at)
    expected = False
    for c, d in pairwise(line):
        for share in slow_sight.meeting_shares(start, end, slow_sight.place(*c), slow_sight.place(*d)):
            p = slow_sight.between(start, end, share)
            expected = expected or (not far(p, target, behind) and (own < 0 or far(p, shooter, own)))
    ground = scenery(100, 100, [], [Barrier("wall", line)])
    assert bool(shelters(ground, shooter, target, behind, own)) is expected


@given(spots, spots, walls, st.integers(0, 6))
@settings(max_examples=100, deadline=None)
def test_of_round_bases_it_says_what_crossings_say(start: Point, end: Point, line: tuple[Point, ...], far: int) -> None:
    ground, a, b = scenery(100, 100, [], [Barrier("wall", line)]), Base(FigureId("a"), start, 2), man(*end)
    plain = crosses_within(start, end, ground.barriers[0].edges, end, 50 + far)
    assert bool(shelters(ground, a, b, far)) is plain
