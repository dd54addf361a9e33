"""A bot's look at the table: groups, friends and enemies, cover, and free places."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.core.bots.bot import Picture
from engine.kit.bots.look import Cards, GroupSeen, TableLook, offers, options_of, parts_of, reached, usual_place
from engine.space.vectors.outlines import outline_of
from engine.space.vectors.points import Point
from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Band, Option, PickOption, PickPoint, Pieces, Way
from protocol.scene.nodes import (
    NO_PROMPT,
    TABLE_NODE,
    AnyNode,
    Choice,
    Feature,
    Group,
    Piece,
    Prompt,
    SeatNode,
    Sheet,
    Table,
)
from protocol.text import Text

WORD = Text("word")
Nodes = dict[NodeId, AnyNode]


class Seen(Picture):
    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return None


def group(number: int, owner: int, *places: Point, status: tuple[str, ...] = (), wounds: int = 0) -> Nodes:
    """A group with a piece at each place, and a sheet with its number on it."""
    ids = tuple([NodeId(f"piece/{number}.{place}") for place in range(len(places))])

    def piece(at: Point) -> Piece:
        counters = {"wounds": wounds} if wounds else {}
        return Piece(at, 50, owner, NodeId(f"group/{number}"), WORD, counters=counters)

    return {
        NodeId(f"group/{number}"): Group(owner, WORD, ids, NodeId(f"sheet/{number}"), status),
        NodeId(f"sheet/{number}"): Sheet(WORD, (), numbers={"worth": 10 * number}),
        **{id: piece(at) for id, at in zip(ids, places, strict=True)},
    }


def look(*parts: Nodes, sides: tuple[int, ...] = (), seat: int = 0) -> TableLook[int]:
    seats = {NodeId(f"seat/{n}"): SeatNode(WORD, n, 0, side=side) for n, side in enumerate(sides)}
    nodes: Nodes = {TABLE_NODE: Table((6000, 4000), "in", "grass"), **seats}
    for part in parts:
        nodes |= part
    return TableLook(Seen(seat, nodes, Prompt(NO_PROMPT, WORD, ())), lambda numbers: numbers.get("worth", 0))


MINE = group(1, 0, (1000, 1000), (1200, 1000), status=("acting",), wounds=2)
ALLY = group(2, 1, (1000, 2000))
FOE = group(3, 2, (3000, 1000), (2000, 1000))
AWAY = group(4, 0)


def test_groups_are_read_off_their_nodes() -> None:
    seen = look(MINE, AWAY)
    assert list(seen.units) == ["group/1"]
    mine = seen.units["group/1"]
    places = ((1000, 1000), (1200, 1000))
    assert mine == GroupSeen("group/1", 0, 10, places, places[0], frozenset({"acting"}), {"wounds": 4})
    assert seen.acting() is mine
    assert mine.at((5, 5)).places == ((5, 5), (5, 5))
    assert (seen.card("group/4"), seen.card("group/9")) == (40, 0)
    assert seen.waiting("group/4", 3).places == ((0, 0),) * 3


def test_a_card_is_read_again_once_its_sheet_has_changed() -> None:
    read: list[int] = []

    def card(numbers: Mapping[str, int]) -> int:
        read.append(numbers["worth"])
        return numbers["worth"]

    kept: Cards[int] = {}
    last = 0
    for nodes in (MINE, dict(MINE), {**MINE, NodeId("sheet/1"): Sheet(WORD, (), numbers={"worth": 7})}):
        seen = TableLook(Seen(0, nodes, Prompt(NO_PROMPT, WORD, ())), card, kept)
        last = seen.card("group/1")
    assert (last, read) == (7, [10, 7])


@pytest.mark.parametrize(
    ("sides", "enemies"),
    [((), ["group/2", "group/3"]), ((0, 0, 1), ["group/3"]), ((-1, -1, -1), ["group/2", "group/3"])],
)
def test_friends_are_those_of_a_side(sides: tuple[int, ...], enemies: list[str]) -> None:
    seen = look(MINE, ALLY, FOE, sides=sides)
    assert [unit.id for unit in seen.enemies] == enemies


def test_the_nearest_figures_decide_how_far_a_group_is() -> None:
    seen = look(MINE, FOE, sides=(0, 0, 1))
    mine, foe = seen.units["group/1"], seen.units["group/3"]
    assert mine.distance(foe) == 700
    assert seen.nearest(mine) is foe
    assert look(MINE).nearest(mine) is None


def test_numbers_of_a_part_stand_behind_its_name() -> None:
    assert parts_of({"quality": 3, "rifle/range": 24, "rifle/attacks": 1}) == (
        {"quality": 3},
        {"rifle": {"range": 24, "attacks": 1}},
    )


def test_offered_are_those_on_the_table() -> None:
    field = Pieces("unit", WORD, options=(Option("group/1", WORD), Option("group/4", WORD)))
    choice = Choice("hold", WORD, (field,))
    assert options_of(choice) == ["group/1", "group/4"]
    assert [unit.id for unit in look(MINE, AWAY).offered(choice)] == ["group/1"]
    assert (options_of(None), options_of(Choice("end", WORD))) == ([], [])


def test_cover_is_looked_for_where_one_comes() -> None:
    wood = Feature(outline_of((2000, 1000, 2400, 1400)), "wood", WORD, cover="cover")
    hedge = Feature(((1000, 1000), (1400, 1400)), "hedge", WORD, line=True, cover="cover")
    seen = look({NodeId("feature/1"): wood, NodeId("feature/2"): hedge})
    region = outline_of((0, 0, 4000, 4000))
    assert seen.covers(region, (1000, 1200), 5000) == [(2050, 1200), (2200, 1200)]
    assert seen.covers(region, (1000, 1200), 1100) == [(2050, 1200)]
    assert seen.covers(outline_of((0, 0, 500, 500)), (1000, 1200), 5000) == []


def test_free_places_lie_around_an_enemy_off_all_others_and_off_bad_ground() -> None:
    pond = Feature(outline_of((3500, 0, 6000, 4000)), "pond", WORD, states=("impassable",))
    seen = look(MINE, FOE, {NodeId("feature/1"): pond}, sides=(0, 0, 1))
    free = list(seen.free_around(seen.enemies, 900, 800, 400, lambda feature: "impassable" in feature.states))
    assert free
    for x, y in free:
        assert 250 < y < 3750
        assert x < 3500
        assert all((x - ex) ** 2 + (y - ey) ** 2 >= 800**2 for ex, ey in seen.enemies[0].places)
        assert all((x - ox) ** 2 + (y - oy) ** 2 >= 400**2 for ox, oy in seen.units["group/1"].places)


class Told(Picture):
    """A view that is told one field, whatever it asks for."""

    def __init__(self, field: AnyField | None) -> None:
        super().__init__(0, {}, Prompt(NO_PROMPT, WORD, ()))
        self.field = field

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        return self.field


AREA = ((0, 0), (9, 0), (0, 9))
PIECES = Pieces("unit", WORD, options=(Option("group/1", WORD),))
PLACE = PickPoint("to", WORD, regions=(AREA, AREA), default=(5, 5))


@pytest.mark.parametrize(
    ("field", "options", "place", "corners"),
    [
        (None, (), None, 0),
        (PIECES, PIECES.options, None, 0),
        (PickOption("power", WORD, options=PIECES.options), PIECES.options, None, 0),
        (PLACE, (), [5, 5], 6),
        (PickPoint("to", WORD), (), None, 0),
        (Way("way", WORD, bands=(Band(WORD, 600, (AREA,)), Band(WORD, 900, (AREA,)))), (), None, 3),
    ],
)
async def test_what_a_field_offers(
    field: AnyField | None, options: tuple[Option, ...], place: list[int] | None, corners: int
) -> None:
    view = Told(field)
    assert await offers(view, "go", {}) == options
    assert await usual_place(view, "go", {}) == place
    assert await reached(view, "go", {}) == [*AREA, *AREA][:corners]
