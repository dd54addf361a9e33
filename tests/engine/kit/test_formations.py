"""Formations: members around their lead, and the room that they have."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.kit.board.formations import Coherency, LeadRoom, cluster, first_stand, stood_in, with_fringes
from engine.space.placement.coherency import strayed
from engine.space.placement.figures import Room
from engine.space.terrain.contact import Base, first_touched
from engine.space.terrain.features import Area, Barrier, scenery
from engine.space.vectors.points import Point
from protocol.ids import FigureId

POND = Area("pond", ((1000, 0), (1200, 0), (1200, 600), (1000, 600)), impassable=True)
HUT = Area("hut", ((2000, 2000), (2300, 2000), (2300, 2300), (2000, 2300)))
GROUND = scenery(4000, 4000, [POND, HUT], [Barrier("hedge", ((0, 3000), (4000, 3000)))])
NEAR = Coherency(600, 100)
LEAD = FigureId("a/1")


def room(lead: Point, *discs: tuple[int, int, int], flies: bool = False) -> LeadRoom:
    closed = [area for area in GROUND.areas if area.id == "pond"]
    return LeadRoom(GROUND, lead, closed, [cluster([disc]) for disc in discs], 1500, flies=flies)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ((800, 300), ""),
        ((30, 300), "off-table"),
        ((600, 300), "too-near"),
        ((980, 300), "impassable"),
        ((1400, 300), "beyond-obstacle"),
        ((800, 3000), "on-barrier"),
    ],
)
def test_room_says_why_nobody_may_stand_at_a_place(place: Point, fault: str) -> None:
    assert room((800, 200), (500, 300, 60)).fault(place, 50) == fault


def test_who_flies_needs_no_way_past_what_is_closed() -> None:
    assert room((800, 200), flies=True).fits((1400, 300), 50)
    assert not room((800, 200), flies=True).fits((1100, 300), 50)


def test_discs_out_of_reach_are_not_looked_at() -> None:
    assert [len(room((800, 200), disc).clear) for disc in ((900, 300, 50), (3900, 3900, 50))] == [1, 0]


@given(st.integers(1, 8), st.tuples(st.integers(100, 3900), st.integers(100, 2900)))
def test_members_keep_together_where_all_find_a_place(count: int, at: Point) -> None:
    lead, own = Base(LEAD, at, 50), room(at)
    members = [(FigureId(f"a/{n + 2}"), 50) for n in range(count)]
    found = NEAR.around(lead, members, own.fits)
    placed = [Base(id, place, 50) for id, place in found.items()]
    assert found[LEAD] == at
    assert strayed(lead, placed[1:], *NEAR) is None
    assert all(own.fits(base.at, 50) for base in placed[1:])


def test_the_first_fault_of_chosen_places_is_named() -> None:
    def fault(*places: Point) -> tuple[str, str]:
        return NEAR.fault([Base(FigureId(f"a/{n}"), at, 50) for n, at in enumerate(places, 1)], room((800, 200)).fault)

    assert fault((800, 200), (800, 320)) == ("", "a/1")
    assert fault((800, 200), (20, 200)) == ("off-table", "a/2")
    assert fault((800, 200), (800, 320), (800, 250)) == ("overlap", "a/3")
    assert fault((800, 200), (800, 320), (400, 320)) == ("formation", "a/3")


def test_members_who_have_lost_touch_close_up_and_the_others_stay() -> None:
    placed = [Base(FigureId(f"a/{n}"), at, 50) for n, at in enumerate([(800, 200), (800, 320), (300, 900)], 1)]
    closed = NEAR.closed_up(placed, room((800, 200)).fits)
    assert list(closed) == ["a/3"]
    assert strayed(placed[0], [placed[1], Base(FigureId("a/3"), closed[FigureId("a/3")], 50)], *NEAR) is None
    assert NEAR.closed_up(placed[:2], room((800, 200)).fits) == {}


def test_who_finds_no_place_in_an_area_stands_outside_it() -> None:
    inside = Room(GROUND, Base(LEAD, (2150, 2150), 60), 200)
    members = [(FigureId(f"a/{n}"), 60) for n in range(2, 14)]
    rooms = with_fringes(inside)
    assert [one.fringe for one in rooms] == [None, "hut"]
    alone, both = stood_in(rooms[:1], members), stood_in(rooms, members)
    assert 0 < len(alone) < len(both) == len(members)
    assert all(both[id] == base for id, base in alone.items())
    hut = GROUND.area("hut")
    assert [hut.holds(base.at) for base in both.values()].count(True) == len(alone)


def test_only_so_many_places_are_tried() -> None:
    tried: list[Point] = []

    def stand(at: Point) -> Point | None:
        tried.append(at)
        return at if at[0] == 3 else None

    places = [(n, 0) for n in range(9)]
    assert first_stand(places, stand, 3) is None
    assert first_stand(places, stand, 9) == (3, 0)
    assert len(tried) == 3 + 4


def test_nobody_leaves_the_box_that_a_room_is_within() -> None:
    zone = LeadRoom(GROUND, (500, 500), [], [], 1500, within=(0, 0, 4000, 600))
    assert [zone.fault((500, y), 50) for y in (550, 551)] == ["", "zone"]


def test_a_room_goes_with_its_lead_from_free_place_to_free_place() -> None:
    room_at = room((800, 200), (500, 300, 60))
    free = [(at, room_at.lead) for at in room_at.leads_at([(600, 300), (800, 300), (1100, 100), (1400, 300)], 50)]
    assert free == [((800, 300), (800, 300)), ((1400, 300), (1400, 300))], "the pond and the disc hold no lead"


def base(id: str, x: int, y: int) -> Base:
    return Base(FigureId(id), (x, y), 50)


def stepped(reach: int, *foes: Base, link: int = 300, closed: tuple[Point, ...] = ()) -> dict[FigureId, Point]:
    placed = [base("lead", 1000, 1000), base("near", 1200, 1000), base("far", 1000, 1200)]
    return Coherency(600, link).stepped_in(placed, foes, lambda p, radius: p not in closed, reach)


def test_members_step_into_contact_within_reach() -> None:
    foes = base("a", 1500, 1000), base("b", 1400, 1300)
    moved = stepped(600, *foes)
    assert set(moved) == {"near", "far"}
    assert all(first_touched(Base(id, at, 50), foes) is not None for id, at in moved.items())
    assert set(stepped(250, *foes)) == {"near"}
    assert stepped(100, *foes) == {}
    assert "near" not in stepped(600, base("a", 1300, 1000)), "who is in contact stays"


def test_members_do_not_step_where_they_lose_touch_or_have_no_room() -> None:
    foes = base("a", 1500, 1000), base("b", 1400, 1300)
    assert stepped(600, *foes, link=100) == {}
    assert "near" not in stepped(600, foes[0], closed=(stepped(600, foes[0])[FigureId("near")],))
    assert set(stepped(600, foes[0])) == {"near"}, "the other would overlap it"
