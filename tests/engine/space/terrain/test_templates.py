"""Templates: the edges of each shape, and every answer beside that of a slow sum of fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import BoxBase, Footprint
from engine.space.terrain.templates import Cone, Disc, Template, box, cone, strip, touched
from engine.space.vectors.headings import ANGLES
from engine.space.vectors.outlines import Outline
from protocol.ids import FigureId
from tests.support.reference import slow_sight
from tests.support.reference.slow_sight import Place

A, B = FigureId("a"), FigureId("b")


def test_a_disc_touches_what_it_meets_at_its_edge() -> None:
    bases = [Base(A, (400, 0), 100), Base(B, (401, 0), 100)]
    assert touched(Disc((0, 0), 300), bases) == bases[:1]
    assert Disc((0, 0), 300).touches(BoxBase((400, 0), 0, 200, 100))
    assert not Disc((0, 0), 299).touches(BoxBase((400, 0), 0, 200, 100))
    assert Disc((0, 0), 1).touches(BoxBase((0, 0), 0, 200, 100)), "all of it within"


def test_a_strip_begins_where_it_is_laid() -> None:
    flame = strip((0, 0), 0, 1600, 400)
    assert flame.touches(Base(A, (1650, 250), 71))
    assert not flame.touches(Base(A, (1650, 250), 70))
    assert flame.touches(Base(A, (-50, 0), 50))
    assert not flame.touches(Base(A, (-51, 0), 50))
    assert not box((0, 0), 0, 100, 100).touches(BoxBase((101, 0), 0, 100, 100))
    assert box((0, 0), 0, 100, 100).touches(BoxBase((100, 0), 0, 100, 100))


def test_a_cone_ends_in_an_arc() -> None:
    blast = cone((0, 0), 0, 1000, 90)
    assert blast.touches(Base(A, (1050, 0), 50))
    assert not blast.touches(Base(A, (1051, 0), 50))
    assert not blast.touches(Base(A, (-51, 0), 50))
    assert blast.touches(BoxBase((1100, 0), 90, 600, 200)), "only its long side comes over the arc"
    assert not blast.touches(BoxBase((1101, 0), 90, 600, 200))
    assert blast.touches(BoxBase((0, 0), 0, 400, 400)), "the apex is within"


@pytest.mark.parametrize("width", [0, 15, 180])
def test_other_cones_are_refused(width: int) -> None:
    with pytest.raises(ValueError, match="degrees"):
        cone((0, 0), 0, 100, width)


def corners(outline: Outline) -> list[Place]:
    return [slow_sight.place(*p) for p in outline]


def holds(outline: list[Place], p: Place) -> bool:
    return slow_sight.strictly_inside(p, outline) or slow_sight.on_outline(p, outline)


def outlines_meet(one: list[Place], other: list[Place]) -> bool:
    crossing = any(
        slow_sight.meeting_shares(*e, *f) for e, f in product(slow_sight.edges(one), slow_sight.edges(other))
    )
    return crossing or holds(one, other[0]) or holds(other, one[0])


def far(p: Place, outline: list[Place]) -> Fraction:
    """Return the squared distance of a point from an outline, 0 within."""
    if holds(outline, p):
        return Fraction(0)
    return min(slow_sight.point_to_segment(p, a, b) for a, b in slow_sight.edges(outline))


def cone_holds(template: Cone, p: Place) -> bool:
    apex, right, left = (slow_sight.place(*q) for q in (template.apex, template.right, template.left))
    if slow_sight.point_to_segment(p, apex, right) == 0 or slow_sight.point_to_segment(p, apex, left) == 0:
        return True
    between = slow_sight.turn(apex, right, p) >= 0 and slow_sight.turn(apex, p, left) >= 0
    return between and slow_sight.squared_distance(apex, p) <= template.length**2


def cone_meets(template: Cone, outline: list[Place]) -> bool:
    """Look at every point of the outline where an answer can change: its corners, where it meets a side, and where it
    is nearest to the apex of all that lies between two of those."""
    apex, sides = slow_sight.place(*template.apex), (template.right, template.left)
    if holds(outline, apex):
        return True
    for a, b in slow_sight.edges(outline):
        shares = {Fraction(0), Fraction(1)}
        for end in sides:
            far_end = slow_sight.between(apex, slow_sight.place(*end), Fraction(1_000))
            shares.update(slow_sight.meeting_shares(a, b, apex, far_end))
            shares.update(slow_sight.meeting_shares(a, b, apex, slow_sight.place(*end)))
        if a != b:
            dot = (apex[0] - a[0]) * (b[0] - a[0]) + (apex[1] - a[1]) * (b[1] - a[1])
            shares.add(min(max(dot / slow_sight.squared_distance(a, b), Fraction(0)), Fraction(1)))
        if any(cone_holds(template, slow_sight.between(a, b, share)) for share in shares):
            return True
    return False


def meets(template: Template, footprint: Footprint) -> bool:
    """Tell by fractions whether a template and a footprint have a common point."""
    if isinstance(template, Disc):
        if isinstance(footprint, Base):
            apart = slow_sight.squared_distance(slow_sight.place(*template.at), slow_sight.place(*footprint.at))
            return apart <= (template.radius + footprint.radius) ** 2
        return far(slow_sight.place(*template.at), corners(footprint.outline())) <= template.radius**2
    if isinstance(footprint, Base):
        at = slow_sight.place(*footprint.at)
        if not isinstance(template, Cone):
            return far(at, corners(template.corners)) <= footprint.radius**2
        apex, ends = slow_sight.place(*template.apex), (template.right, template.left)
        sides = [slow_sight.point_to_segment(at, apex, slow_sight.place(*end)) for end in ends]
        right, left = (slow_sight.place(*end) for end in ends)
        between = slow_sight.turn(apex, right, at) >= 0 and slow_sight.turn(apex, at, left) >= 0
        arc = between and slow_sight.squared_distance(apex, at) <= (template.length + footprint.radius) ** 2
        return arc or min(sides) <= footprint.radius**2
    outline = corners(footprint.outline())
    if isinstance(template, Cone):
        return cone_meets(template, outline)
    return outlines_meet(corners(template.corners), outline)


spots = st.tuples(st.integers(0, 60), st.integers(0, 60))
sizes = st.integers(1, 30)
angles = st.sampled_from(ANGLES)
templates = st.one_of(
    st.builds(Disc, spots, sizes),
    st.builds(box, spots, angles, sizes, sizes),
    st.builds(strip, spots, angles, sizes, sizes),
    st.builds(cone, spots, angles, sizes, st.sampled_from((30, 60, 90, 170))),
)
footprints = st.one_of(st.builds(Base, st.just(A), spots, sizes), st.builds(BoxBase, spots, angles, sizes, sizes))


@given(templates, footprints)
@settings(max_examples=600, deadline=None)
def test_what_a_template_touches_is_what_it_meets_by_fractions(template: Template, footprint: Footprint) -> None:
    assert template.touches(footprint) is meets(template, footprint)
