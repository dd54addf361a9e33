"""Contact of round bases: gaps, touching, overlapping, and the place of contact."""

from __future__ import annotations

from random import Random

from hypothesis import given, strategies as st

from engine.space.terrain.contact import (
    Base,
    at_most_apart,
    contact_point,
    first_overlapped,
    first_touched,
    gap,
    gap_at_most,
    overlaps,
    touches,
)
from engine.space.vectors.points import Point
from protocol.ids import FigureId
from tests.support.faults.crowded_tables import bases

spots = st.tuples(st.integers(0, 3_000), st.integers(0, 3_000))
A = Base(FigureId("a"), (0, 0), 50)


def b(x: int, y: int = 0) -> Base:
    return Base(FigureId("b"), (x, y), 50)


def test_a_gap_is_rounded_down() -> None:
    assert gap(A, b(130)) == 30
    assert gap(A, b(100, 100)) == 41
    assert gap(A, b(100)) == 0
    assert gap(A, b(70, 70)) == -2
    assert gap(A, b(0)) == -100


def test_bases_touch_under_five_hundredths_and_overlap_below_none() -> None:
    assert touches(A, b(104))
    assert not touches(A, b(105))
    assert touches(A, b(30)), "who overlaps touches"
    assert not overlaps(A, b(100))
    assert overlaps(A, b(99))


def test_a_range_itself_is_near_enough() -> None:
    assert gap_at_most(A, b(300), 200)
    assert not gap_at_most(A, b(301), 200)
    assert not gap_at_most(A, b(180, 240 + 1), 200)


def test_the_first_that_is_met_in_order() -> None:
    clear, beside, over = (
        Base(FigureId("clear"), (500, 0), 50),
        Base(FigureId("beside"), (104, 0), 50),
        Base(FigureId("over"), (0, 60), 50),
    )
    assert first_touched(A, [clear, beside, over]) == beside
    assert first_overlapped(A, [clear, beside, over]) == over
    assert first_overlapped(A, [clear, beside]) is None
    assert first_touched(A, [clear]) is None


def test_bases_near_to_one_are_those_that_are_so_one_by_one() -> None:
    random = Random(8)
    for _ in range(200):
        one, *others = bases(random, 30)
        assert first_overlapped(one, others) is next((other for other in others if overlaps(one, other)), None)
        assert first_touched(one, others) is next((other for other in others if touches(one, other)), None)
        assert at_most_apart(one, others, 700) == [other for other in others if gap_at_most(one, other, 700)]


def test_a_base_comes_to_touch_from_its_own_side() -> None:
    assert contact_point(b(700), A) == (102, 0)
    assert contact_point(b(300, 400), A) == (61, 81), "61.2 and 81.6, cut"
    assert contact_point(b(0, -60), A) == (0, -102), "outwards from an overlap"
    assert contact_point(b(0), A) == (102, 0), "to greater x from the same centre"


@given(spots, spots, st.integers(10, 200), st.integers(10, 200))
def test_a_contact_point_touches_without_overlap(a: Point, b: Point, own: int, other: int) -> None:
    still = Base(FigureId("still"), b, other)
    met = Base(FigureId("moving"), contact_point(Base(FigureId("moving"), a, own), still), own)
    assert touches(met, still)
    assert not overlaps(met, still)
