"""Stretches of a way inside areas: their ends, touching, bays, rounding."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import dist

from hypothesis import given, settings, strategies as st

from engine.space.terrain.features import Area, Barrier, PreparedArea, scenery
from engine.space.terrain.stretches import crossed_after, entered_after, length_inside, stretches
from engine.space.vectors.outlines import Outline
from engine.space.vectors.points import Point
from tests.support.reference import slow_sight
from tests.support.reference.small_tables import table


def area(outline: Outline) -> PreparedArea:
    return table(Area("mud", outline)).areas[0]


SQUARE = area(((100, 100), (200, 100), (200, 200), (100, 200)))
COMB = area(((100, 0), (600, 0), (600, 300), (500, 300), (500, 100), (200, 100), (200, 300), (100, 300)))


def test_a_way_across() -> None:
    assert stretches((0, 150), (300, 150), SQUARE) == ((100, 200),)
    assert stretches((300, 150), (0, 150), SQUARE) == ((100, 200),)
    assert stretches((0, 0), (300, 300), SQUARE) == ((141, 283),), "141.4 and 282.8"
    assert length_inside((0, 0), (300, 300), SQUARE) == 142


def test_a_way_that_begins_or_ends_inside() -> None:
    assert stretches((150, 150), (150, 400), SQUARE) == ((0, 50),)
    assert stretches((150, 400), (150, 150), SQUARE) == ((200, 250),)
    assert stretches((110, 110), (190, 110), SQUARE) == ((0, 80),)


def test_the_boundary_is_inside_and_a_corner_has_no_length() -> None:
    assert stretches((0, 100), (300, 100), SQUARE) == ((100, 200),)
    assert stretches((0, 200), (200, 0), SQUARE) == ()
    assert stretches((0, 99), (300, 99), SQUARE) == ()
    assert length_inside((0, 99), (300, 99), SQUARE) == 0


def test_no_way_at_all_is_nowhere() -> None:
    assert stretches((150, 150), (150, 150), SQUARE) == ()


def test_a_bay_is_crossed_outside() -> None:
    assert stretches((0, 200), (700, 200), COMB) == ((100, 200), (500, 600))
    assert length_inside((0, 200), (700, 200), COMB) == 200


def test_stretches_that_meet_are_one() -> None:
    """A way that touches corners in its middle is cut there and joined again."""
    assert stretches((0, 100), (700, 100), COMB) == ((100, 600),)
    assert stretches((0, 0), (300, 200), area(((0, 0), (300, 0), (300, 300), (150, 100), (0, 300)))) == ((0, 360),)


places = st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda p: (100 * p[0], 100 * p[1]))


@given(st.sampled_from([SQUARE, COMB]), places, places)
@settings(max_examples=150)
def test_lengths_inside_are_as_fractions_say(ground: PreparedArea, start: Point, end: Point) -> None:
    a, b, corners = slow_sight.place(*start), slow_sight.place(*end), [slow_sight.place(*p) for p in ground.outline]
    shares = {Fraction(0), Fraction(1)}
    for c, d in slow_sight.edges(corners):
        shares.update(slow_sight.meeting_shares(a, b, c, d))
    inside = Fraction(0)
    for low, high in pairwise(sorted(shares)):
        middle = slow_sight.between(a, b, (low + high) / 2)
        if slow_sight.strictly_inside(middle, corners) or slow_sight.on_outline(middle, corners):
            inside += high - low
    found = stretches(start, end, ground)
    assert abs(length_inside(start, end, ground) - inside * dist(start, end)) <= 1 + len(found)
    assert all(high < low for (_, high), (low, _) in pairwise(found))
    assert all(low < high for low, high in found)


def test_a_way_comes_into_an_area_and_over_a_barrier_at_a_hundredth() -> None:
    assert entered_after((0, 150), (300, 150), SQUARE) == 100
    hedge = scenery(400, 400, [], [Barrier("hedge", ((120, 0), (120, 400)))]).barriers[0]
    assert crossed_after((0, 150), (300, 150), hedge) == 120
    assert crossed_after((0, 150), (100, 150), hedge) == 100, "the whole way"
