"""Footprints of both shapes: near, touching, overlapping, beside a slow answer by fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given, settings, strategies as st

from engine.space.terrain.contact import Base
from engine.space.terrain.features import scenery, with_areas
from engine.space.terrain.footprints import (
    BoxBase,
    Footprint,
    are_nearer,
    are_touching,
    as_area,
    box_of_footprint,
    eyes_of,
    first_near,
    moved,
)
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.outlines import doubled_area
from protocol.ids import FigureId
from tests.support.reference import slow_sight

TRUCK = BoxBase((1_000, 1_000), 0, 300, 100, FigureId("truck"))
MAN = Base(FigureId("man"), (1_200, 1_000), 50)


def test_a_base_and_its_lane_lie_along_its_heading() -> None:
    assert box_of_footprint(TRUCK) == (850, 950, 1_150, 1_050)
    assert box_of_footprint(MAN) == (1_150, 950, 1_250, 1_050)
    assert moved(TRUCK, (0, 0)) == BoxBase((0, 0), 0, 300, 100, FigureId("truck"))


def test_touching_is_no_overlap() -> None:
    assert are_touching(TRUCK, MAN)
    assert not are_nearer(TRUCK, MAN, 0)
    assert are_nearer(TRUCK, moved(MAN, (1_199, 1_000)), 0)
    assert are_touching(moved(MAN, (1_204, 1_000)), TRUCK)
    assert not are_touching(moved(MAN, (1_205, 1_000)), TRUCK)
    assert are_touching(TRUCK, moved(TRUCK, (1_304, 1_000)))
    assert not are_touching(TRUCK, moved(TRUCK, (1_305, 1_000)))


def test_the_first_that_is_near_is_named() -> None:
    others = [moved(MAN, (3_000, 1_000)), MAN, moved(MAN, (1_000, 1_000))]
    assert first_near(TRUCK, others, 1) is MAN
    assert first_near(TRUCK, others) is others[2]
    assert first_near(TRUCK, others[:2]) is None


def test_a_rectangle_looks_from_its_middle_and_corners_and_bars_the_ground() -> None:
    assert eyes_of(MAN) == (MAN,)
    assert [eye.at for eye in eyes_of(TRUCK)] == [TRUCK.at, (850, 950), (1_150, 950), (1_150, 1_050), (850, 1_050)]
    table = with_areas(scenery(7_200, 4_800, [], []), [as_area(TRUCK, blocks_sight=True)])
    assert table.area(TRUCK.id).impassable
    assert table.area(TRUCK.id).pierced_by((500, 1_000), (2_000, 1_000))


spots = st.tuples(st.integers(0, 60), st.integers(0, 60))
sizes = st.integers(1, 15).map(lambda half: 2 * half)
boxes = st.builds(BoxBase, spots, st.sampled_from(ANGLES), sizes, sizes)
footprints = st.one_of(st.builds(Base, st.just(FigureId("a")), spots, sizes), boxes)


def slow_gap(one: Footprint, other: Footprint) -> tuple[Fraction, int]:
    """Return the squared distance of two cores (centres, outlines; 0 where they meet) and the sum of the radii."""
    cores = [[f.at] if isinstance(f, Base) else list(f.outline()) for f in (one, other)]
    ones, others = ([slow_sight.place(*p) for p in core] for core in cores)
    reach = sum(f.radius for f in (one, other) if isinstance(f, Base))
    for p, outline in ((ones[0], others), (others[0], ones)):
        if len(outline) > 1 and (slow_sight.strictly_inside(p, outline) or slow_sight.on_outline(p, outline)):
            return Fraction(0), reach
    pairs = product(slow_sight.edges(ones), slow_sight.edges(others))
    return min(slow_sight.segment_to_segment(*a, *b) for a, b in pairs), reach


@given(footprints, footprints, st.integers(1, 20))
@settings(max_examples=250, deadline=None)
def test_near_is_what_fractions_say(one: Footprint, other: Footprint, distance: int) -> None:
    square, reach = slow_gap(one, other)
    assert are_nearer(one, other, distance) is (square < (reach + distance) ** 2)
    assert are_nearer(other, one, distance) is are_nearer(one, other, distance)


@given(st.builds(Base, st.just(FigureId("a")), spots, sizes), footprints)
@settings(max_examples=120, deadline=None)
def test_a_disc_overlaps_what_is_nearer_than_its_radius(one: Base, other: Footprint) -> None:
    square, reach = slow_gap(one, other)
    assert are_nearer(one, other, 0) is are_nearer(other, one, 0) is (square < reach**2)


@given(boxes, boxes)
@settings(max_examples=120, deadline=None)
def test_rectangles_overlap_alike_from_both_sides(one: BoxBase, other: BoxBase) -> None:
    if doubled_area(one.outline()) > 0 and doubled_area(other.outline()) > 0:
        assert are_nearer(one, other, 0) is are_nearer(other, one, 0)
        if are_nearer(one, other, 0):
            assert slow_gap(one, other)[0] == 0
