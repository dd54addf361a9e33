"""Coherency: loose and strayed members of a chain around a lead, and places for members."""

from __future__ import annotations

from hypothesis import given, strategies as st

from engine.space.placement.coherency import gather, strayed, unlinked
from engine.space.terrain.contact import Base, gap_at_most, overlaps
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, FigureId

A = FigureId("a")

LEAD = Base(FigureId("lead"), (0, 0), 50)


def at(id: str, x: int, y: int = 0, radius: int = 50) -> Base:
    return Base(FigureId(id), (x, y), radius)


def everywhere(_: Point, __: int) -> bool:
    return True


def on_the_line_ahead(p: Point, _: int) -> bool:
    return p[1] == 0 and p[0] > 0


def test_a_chain_links_by_way_of_others() -> None:
    """The order of members does not matter; a gap of exactly the link, edge to edge, is near enough."""
    assert unlinked(LEAD, [at("far", 400), at("near", 200)], 100) == ()
    assert unlinked(LEAD, [at("far", 401), at("near", 200), at("lost", 0, 201)], 100) == (
        "far",
        "lost",
    )
    assert unlinked(LEAD, [at("one", 500), at("two", 600)], 100) == ("one", "two")
    assert unlinked(LEAD, [], 100) == ()


def test_the_first_that_strays_is_told() -> None:
    near, far, loose = at("near", 150), at("far", 401), at("loose", 0, 300)
    assert strayed(LEAD, [near], 300, 100) is None
    assert strayed(LEAD, [at("edge", 400), near, at("between", 250)], 300, 100) is None
    assert strayed(LEAD, [loose, far, near], 300, 100) == "far", "too far from the lead comes before loose"
    assert strayed(LEAD, [near, loose], 300, 100) == "loose"


def test_members_stand_on_the_nearest_places_with_a_small_gap() -> None:
    assert gather(LEAD, [(A, 50), (FigureId("b"), 50)], everywhere, 300, 100) == (
        at(A, -110),
        at("b", 0, -110),
    )


def test_a_link_itself_is_near_enough() -> None:
    assert gather(LEAD, [(A, 50)], everywhere, 300, 10) == (at(A, -110),)
    assert gather(LEAD, [(A, 50)], everywhere, 300, 9) == (at(A, -100),)


def test_members_close_up_where_there_is_no_room_for_gaps() -> None:
    assert gather(LEAD, [(A, 50)], lambda p, _: p == (100, 0), 300, 100) == (at(A, 100),)
    assert gather(LEAD, [(A, 50)], lambda p, _: p == (99, 0), 300, 100) == ()


def test_members_are_drawn_to_what_pulls_them_as_far_as_the_chain_reaches() -> None:
    """The farthest place is looked at first, and linked to only in a later pass."""
    members = [(A, 50), (FigureId("b"), 50), (FigureId("c"), 50)]
    assert gather(LEAD, members[:1], everywhere, 300, 20, pull=[(1000, 0)]) == (at(A, 110),)
    stood = gather(LEAD, members, on_the_line_ahead, 400, 20, pull=[(1000, 0)])
    assert stood == (at(A, 110), at("b", 220), at("c", 330))


def test_who_stands_already_links_and_is_kept_clear_of() -> None:
    standing = (at("s", 110),)
    assert gather(LEAD, [(A, 50)], on_the_line_ahead, 300, 20, standing) == (at(A, 220),)
    assert gather(LEAD, [(A, 50)], lambda p, _: p[0] > 110 and p[1] == 0, 300, 20) == ()


def test_larger_members_choose_first_and_all_are_told_in_their_order() -> None:
    stood = gather(LEAD, [(FigureId("small"), 30), (FigureId("large"), 60)], everywhere, 300, 100)
    assert [base.id for base in stood] == ["small", "large"]
    assert stood[1] == at("large", -130, radius=60)
    asked: list[int] = []

    def nowhere(_: Point, radius: int) -> bool:
        asked.append(radius)
        return False

    assert gather(LEAD, [(FigureId("small"), 30), (FigureId("large"), 60)], nowhere, 300, 100) == ()
    assert asked[0] == 60


cells = st.tuples(st.integers(-8, 8), st.integers(-8, 8)).map(lambda p: (50 * p[0], 50 * p[1]))


@given(st.lists(cells, max_size=12), st.lists(st.sampled_from([30, 50, 80]), max_size=8), st.sampled_from([0, 60, 200]))
def test_all_who_are_stood_keep_together_and_clear(taken: list[Point], radii: list[int], link: int) -> None:
    others = [Base(FigureId(str(n)), p, 50) for n, p in enumerate(taken)]

    def fits(p: Point, radius: int) -> bool:
        return not any(overlaps(Base(NO_FIGURE, p, radius), other) for other in others)

    stood = gather(LEAD, [(FigureId(f"m{n}"), radius) for n, radius in enumerate(radii)], fits, 300, link)
    assert strayed(LEAD, stood, 300, link) is None
    assert [base.radius for base in stood] == [radii[int(str(base.id)[1:])] for base in stood]
    for n, base in enumerate(stood):
        assert gap_at_most(LEAD, base, 300)
        assert not any(overlaps(base, other) for other in (LEAD, *others, *stood[:n]))
