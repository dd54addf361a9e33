"""Sections of long areas: their cuts, the section of a figure, and their edges."""

from __future__ import annotations

from hypothesis import given, strategies as st

from engine.space.terrain.features import Area
from engine.space.terrain.sections import AreaSection, edges_held, section_at, sections
from engine.space.vectors.points import Point
from tests.support.reference.small_tables import WOOD, table

RIVER = table(Area("river", ((0, 1000), (3000, 1000), (3000, 1200), (0, 1200)))).area("river")
DIAMOND = table(Area("diamond", ((0, 1000), (1000, 900), (2000, 1000), (1000, 1100)))).area("diamond")
"""An area twice as long as the pieces are wide: its longest diagonal is 2000 along x."""


def test_a_short_area_is_one_section() -> None:
    wood = table(WOOD).area("wood")
    assert sections(wood, 1200, 600) == (AreaSection(0, wood.edges),)
    assert sections(DIAMOND, 2000, 600) == (AreaSection(0, DIAMOND.edges),)
    assert len(sections(DIAMOND, 1999, 600)) == 4
    assert section_at(DIAMOND, (2000, 1000), 2000, 600) == 0


def test_a_diamond_is_cut_square_to_its_diagonal() -> None:
    first, second, third, last = sections(DIAMOND, 1200, 600)
    assert [first.number, second.number, third.number, last.number] == [0, 1, 2, 3]
    assert first.edges == (((0, 1000), (600, 940)), ((600, 1060), (0, 1000)))
    assert second.edges == (
        ((600, 940), (1000, 900)),
        ((1000, 900), (1200, 920)),
        ((1200, 1080), (1000, 1100)),
        ((1000, 1100), (600, 1060)),
    )
    assert last.edges == (((1800, 980), (2000, 1000)), ((2000, 1000), (1800, 1020))), "the last one is shorter"


def test_cuts_are_rounded_to_the_nearest_hundredth() -> None:
    thirds = sections(DIAMOND, 1200, 666)
    assert thirds[0].edges == (((0, 1000), (666, 933)), ((666, 1067), (0, 1000))), "933.4 and 1066.6"


def test_a_place_on_a_cut_is_in_the_earlier_section() -> None:
    places = [section_at(DIAMOND, (x, 1000), 1200, 600) for x in (0, 600, 601, 1200, 1201, 1800, 1801, 2000)]
    assert places == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [section_at(RIVER, (x, 1100), 1200, 600) for x in (0, 700, 1500, 3000)] == [0, 1, 2, 5]


def test_a_long_area_is_left_from_the_section_that_is_held() -> None:
    held = edges_held(RIVER, [(100, 1100), (200, 1100)], 1200, 600)
    assert held
    assert max(p[0] for edge in held for p in edge) < 700
    assert edges_held(RIVER, [(100, 900)], 1200, 600) == ()
    first, _, third, _ = sections(DIAMOND, 1200, 600)
    assert edges_held(DIAMOND, [(1500, 1000), (10, 1000), (5, 1000)], 1200, 600) == (*first.edges, *third.edges)


@given(st.integers(300, 900), st.tuples(st.integers(0, 3000), st.integers(1000, 1200)))
def test_sections_cover_the_outline_and_hold_what_lies_in_them(piece: int, p: Point) -> None:
    cut = sections(RIVER, 1200, piece)
    assert [section.number for section in cut] == list(range(-(-3006 // piece)))
    assert {p for section in cut for edge in section.edges for p in edge} >= set(RIVER.outline)
    corners = [q for edge in cut[section_at(RIVER, p, 1200, piece)].edges for q in edge]
    assert min(x for x, _ in corners) <= p[0] <= max(x for x, _ in corners)
