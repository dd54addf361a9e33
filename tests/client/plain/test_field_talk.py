"""Fields as they are asked for in lines, and filled in by what is typed."""

from __future__ import annotations

import pytest

from client.input.drafts import draft_for
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.plain.talk.answers import BadAnswer
from client.plain.talk.field_talk import field_lines, take_answer, value_words
from client.plain.told.shown_table import ShownTable
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.fields import Barred, Option
from protocol.scene.grid import Grid
from protocol.text import Text, text
from tests.support.examples import scenes

NAME = Text("name")
LANDS = tuple(Option(id, Text(id)) for id in ("mill", "ford", "hill"))
SQUARE = ((0, 0), (1000, 0), (1000, 1000), (0, 1000))
GRID = Grid(200, 8, 8)
ONE, TWO = NodeId("piece/14"), NodeId("piece/15")
SHOWN = ShownTable(ViewModel(Tabletop(scenes.public_nodes()), Texts([scenes.CATALOGUE])))

PIECES = scene.Pieces("f", NAME, options=(*scenes.group_options(1),), barred=(Barred("group/1", "no", text("no")),))
MANY = scene.Pieces("f", NAME, options=LANDS, least=1, most=2, default=("mill",))
OPTION = scene.PickOption("f", NAME, options=LANDS)
POINT = scene.PickPoint("f", NAME, start=(500, 500), regions=(SQUARE,))
FREE = scene.PickPoint("f", NAME, regions=(SQUARE,), default=(300, 300))
BLAST = scene.Template("f", NAME, size=200)
PLACED = scene.Placement("f", NAME, pieces=(ONE, TWO), default={ONE: (100, 100), TWO: (200, 100)})
PATH = scene.PathPoint("f", NAME, path=((0, 0), (500, 0), (1000, 0)), least=1, default=2)
WAY = scene.Way("f", NAME, start=(500, 500), most=2)
CELLS = scene.Way("f", NAME, start=(1, 1), grid=GRID)
CELL = scene.PickCell("f", NAME, grid=GRID, options=((0, 0), (3, 2)))
FACING = scene.Facing("f", NAME, at=(500, 500), angles=(0, 90, 180, 270))
NUMBER = scene.Number("f", NAME, least=1, most=12, default=3)
ASSIGN = scene.Assign(
    "f", NAME, items=LANDS[:2], slots=LANDS, room={"hill": 1}, bars={"mill": (Barred("ford", "no", Text("too wet")),)}
)
ORDER = scene.Order("f", NAME, items=LANDS)
WORDS = scene.Words("f", NAME, most=20)


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        (PIECES, "2", ["group/12"]),
        (PIECES, "IS2", ["group/12"]),
        (MANY, "3 1", ["hill", "mill"]),
        (OPTION, "Ford", "ford"),
        (POINT, "2 n", [500, 700]),
        (FREE, "1 e", [400, 300]),
        (BLAST, "12 13.5", [1200, 1350]),
        (PATH, "1", 1),
        (PATH, "4 3", 1),
        (WAY, "2 n then 1 e", [500, 700, 600, 700]),
        (CELLS, "3 4 then 2 e", [2, 3, 3, 3]),
        (CELL, "4 3", [3, 2]),
        (FACING, "w", 180),
        (FACING, "5 40", 90),
        (NUMBER, "12", 12),
        (WORDS, "we dig in", "we dig in"),
    ],
)
def test_what_is_typed_fills_a_field_in(field: scene.AnyField, typed: str, value: object) -> None:
    draft = draft_for(field)
    assert list(field_lines(draft, SHOWN, {}))
    assert take_answer(draft, typed, SHOWN) == ""
    assert draft.wire() == value
    assert value_words(draft, SHOWN)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (PIECES, "4"),
        (PIECES, "0"),
        (PIECES, "1 2"),
        (PIECES, "nobody"),
        (MANY, "1 2 3"),
        (OPTION, "lake"),
        (POINT, "nowhere"),
        (PLACED, "3 1 n"),
        (PLACED, "1"),
        (PATH, "nowhere"),
        (WAY, "1 n then 1 n then 1 n"),
        (CELL, "2 2"),
        (FACING, "up"),
        (NUMBER, "13"),
        (NUMBER, "many"),
        (ASSIGN, "1"),
        (ASSIGN, "1 4"),
        (ASSIGN, "1 2"),
        (ORDER, "4"),
    ],
)
def test_what_means_nothing_is_refused_and_changes_nothing(field: scene.AnyField, typed: str) -> None:
    draft = draft_for(field)
    before = value_words(draft, SHOWN), draft.touched
    with pytest.raises(BadAnswer):
        take_answer(draft, typed, SHOWN)
    assert (value_words(draft, SHOWN), draft.touched) == before


def test_a_thing_that_cannot_be_picked_says_why() -> None:
    with pytest.raises(BadAnswer, match=r"TF1, Task Force 1.*no"):
        take_answer(draft_for(PIECES), "TF1", SHOWN)


def test_a_place_out_of_reach_becomes_the_furthest_and_waits_to_be_accepted() -> None:
    draft = draft_for(POINT)
    told = take_answer(draft, "9 e", SHOWN)
    assert told.startswith("Too far. The furthest place on the way: 10, 5")
    assert draft.missing() == ""


def test_figures_are_moved_one_by_one_before_the_rest_is_accepted() -> None:
    draft = draft_for(PLACED)
    assert take_answer(draft, "2 1 n", SHOWN) == "Figure 2 at 2, 2."
    assert draft.wire() == {ONE: [100, 100], TWO: [200, 200]}


def test_things_are_put_into_slots_and_an_order_is_changed_as_often_as_one_likes() -> None:
    assign, order = draft_for(ASSIGN), draft_for(ORDER)
    assert take_answer(assign, "1 3", SHOWN) == "mill: hill."
    assert take_answer(assign, "2 1", SHOWN) == "ford: mill."
    assert assign.wire() == {"mill": "hill", "ford": "mill"}
    assert take_answer(order, "3", SHOWN) == "Now: hill, mill, ford."
    assert order.wire() == ["hill", "mill", "ford"]


def test_options_are_numbered_with_their_chances_and_what_cannot_be_has_its_reason() -> None:
    lines = list(field_lines(draft_for(PIECES), SHOWN, {"group/12": "45 %"}))
    assert lines == [
        "1. IS1, Iron Shells 1, 3 figures",
        "2. IS2, Iron Shells 2, 3 figures: 45 %",
        "3. IS3, Iron Shells 3, 3 figures",
        "Not TF1: no",
    ]
    assert list(field_lines(draft_for(MANY), SHOWN, {}))[-1] == "Enter: mill"
