"""Foliage, smoke and low ground: their edges, and every answer beside one by fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings, strategies as st

from engine.space.sight.cuts import Foliage, Low, Smoke, share_inside
from engine.space.terrain.features import Area, PreparedArea, scenery
from engine.space.vectors.hulls import hull_of
from engine.space.vectors.outlines import Outline, outline_of
from engine.space.vectors.points import Point
from tests.support.reference import slow_sight


def prepared(*outlines: Outline) -> tuple[PreparedArea, ...]:
    return scenery(9_000, 9_000, [Area(n, outline) for n, outline in enumerate(outlines)], []).areas


def test_foliage_is_seen_through_for_so_long_and_no_longer() -> None:
    wood = Foliage("wood", prepared(outline_of((1_000, 0, 3_000, 1_000))), 600)
    assert not wood.cuts((1_600, 500), (0, 500)), "600 of the line's end"
    assert wood.cuts((1_601, 500), (0, 500))
    assert not wood.cuts((1_200, 100), (1_800, 100)), "all of it inside"
    assert wood.cuts((900, 500), (3_100, 500))
    assert not wood.cuts((900, 1_000), (3_100, 1_000)), "along its edge"


def test_stretches_in_several_woods_add_up_and_shared_ground_counts_once() -> None:
    apart = Foliage("woods", prepared(outline_of((0, 0, 400, 100)), outline_of((800, 0, 1_200, 100))), 600)
    assert apart.cuts((-100, 50), (1_300, 50))
    over = Foliage("woods", prepared(outline_of((0, 0, 400, 100)), outline_of((200, 0, 600, 100))), 600)
    assert not over.cuts((-100, 50), (1_300, 50))


def test_smoke_cuts_what_comes_into_it() -> None:
    smoke = Smoke("smoke", (500, 500), 400)
    assert smoke.cuts((500, 500), (5_000, 500)), "begins in it"
    assert smoke.cuts((0, 101), (1_000, 101))
    assert not smoke.cuts((0, 100), (1_000, 100)), "touching does not cut"
    assert not Smoke("far", (9_000, 9_000), 100).cuts((0, 500), (2_000, 500))


def test_from_a_hill_one_sees_over_low_ground() -> None:
    fire, hill = prepared(outline_of((1_000, 0, 1_200, 1_000)), outline_of((3_000, 0, 4_000, 1_000)))
    low = Low("fire", fire, (hill,))
    assert low.cuts((0, 500), (2_000, 500))
    assert not low.cuts((0, 500), (3_500, 500))
    assert not low.cuts((1_100, 500), (2_000, 500)), "stands in it"
    assert not low.cuts((0, 500), (500, 500)), "ends before it"


spots = st.tuples(st.integers(0, 12), st.integers(0, 12))
SHAPES: tuple[Outline, ...] = (
    ((0, 0), (4, 0), (4, 3), (0, 3)),
    ((0, 0), (5, 0), (5, 2), (2, 2), (2, 5), (0, 5)),
    ((0, 0), (5, 0), (5, 4), (4, 4), (4, 1), (1, 1), (1, 4), (0, 4)),
)
free = st.builds(lambda shape, by: tuple((x + by[0], y + by[1]) for x, y in shape), st.sampled_from(SHAPES), spots)
round_ones = st.lists(spots, min_size=3, max_size=6).map(hull_of).filter(lambda hull: len(hull) > 2)
woods = st.lists(st.one_of(free, round_ones), min_size=1, max_size=3)


def slow_share(a: Point, b: Point, outlines: list[Outline]) -> Fraction:
    start, end = slow_sight.place(*a), slow_sight.place(*b)
    shapes = [[slow_sight.place(*p) for p in outline] for outline in outlines]
    edges = [edge for shape in shapes for edge in slow_sight.edges(shape)]
    shares = sorted({Fraction(0), Fraction(1), *[s for e in edges for s in slow_sight.meeting_shares(start, end, *e)]})

    def is_inside(share: Fraction) -> bool:
        p = slow_sight.between(start, end, share)
        return any(slow_sight.strictly_inside(p, s) for s in shapes)

    return sum((high - low for low, high in pairwise(shares) if is_inside((low + high) / 2)), Fraction(0))


@given(spots, spots, woods, st.integers(0, 8))
@settings(max_examples=200, deadline=None)
def test_the_share_inside_is_that_of_all_stretches(a: Point, b: Point, outlines: list[Outline], longest: int) -> None:
    expected = slow_share(a, b, outlines) if a != b else Fraction(0)
    areas = prepared(*outlines)
    assert share_inside(a, b, areas) == expected == share_inside(b, a, areas)
    square = slow_sight.squared_distance(slow_sight.place(*a), slow_sight.place(*b))
    assert Foliage("wood", areas, longest).cuts(a, b) is (expected**2 * square > longest**2)


@given(spots, spots, spots, st.integers(1, 6))
@settings(max_examples=80, deadline=None)
def test_smoke_cuts_what_comes_nearer_than_its_radius(a: Point, b: Point, at: Point, radius: int) -> None:
    place = slow_sight.place
    expected = slow_sight.point_to_segment(place(*at), place(*a), place(*b)) < radius**2
    assert Smoke("smoke", at, radius).cuts(a, b) is expected
