"""Fields of verbs: what they offer, what they bar, and how their values are read."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.steps import Steps
from engine.kit.blanks import Blank, Draft, Picker, along, facing, hint, number, option, places, point, template
from protocol.ids import FigureId, NodeId
from protocol.scene import fields as scene
from protocol.scene.fields import Barred, Option, Pieces
from protocol.text import Text, text

SEAT = Seat(0)


class Shelf(msgspec.Struct, frozen=True):
    """Books by the year in which they were printed."""

    books: dict[str, int]


SHELF = Shelf({"atlas": 1890, "bible": 1720, "comic": 1990})
read: Final = Picker[Shelf, str](lambda id: NodeId(f"book/{id}"), lambda shelf, id: Text(id), preset=True)


def not_old(draft: Draft[Shelf], book: str) -> None:
    if draft.state.books[book] < 1800:
        raise IllegalIntent("read/old", year=draft.state.books[book])


def test_a_pick_offers_what_passes_its_check_and_bars_the_rest() -> None:
    field = read("book", lambda draft: draft.state.books, not_old, lambda draft, id: hint("of", {"year": 1}))
    filled = field.fill(Draft(SHELF, SEAT), field.shape)
    assert filled == Pieces(
        "book",
        Text(""),
        lazy=True,
        options=(
            Option("book/atlas", Text("atlas"), text("of", year=1), {"year": 1}),
            Option("book/comic", Text("comic"), text("of", year=1), {"year": 1}),
        ),
        barred=(Barred("book/bible", "read/old", text("refuse.read/old", year=1720)),),
        default=("book/atlas",),
    )


def test_a_pick_looks_at_one_candidate_a_step() -> None:
    tried: list[str] = []
    field = read("book", lambda draft: draft.state.books, lambda draft, book: tried.append(book))
    steps = field.fill_steps(Draft(SHELF, SEAT), field.shape)
    assert [len(tried) for _ in steps] == [1, 2, 3]


def test_a_function_may_fill_a_field_in_steps() -> None:
    def how(draft: Draft[Shelf], field: scene.PickPoint) -> Steps[scene.PickPoint]:
        yield
        return msgspec.structs.replace(field, reach=len(draft.state.books))

    field = point("to", how)
    assert len(list(field.fill_steps(Draft(SHELF, SEAT), field.shape))) == 1
    filled = field.fill(Draft(SHELF, SEAT), field.shape)
    assert isinstance(filled, scene.PickPoint)
    assert filled.reach == 3


def test_a_pick_passes_over_what_its_condition_leaves_out() -> None:
    field = read("book", lambda draft: draft.state.books, only=lambda draft, id: id > "b")
    filled = field.fill(Draft(SHELF, SEAT), field.shape)
    assert isinstance(filled, Pieces)
    assert ([one.id for one in filled.options], filled.barred) == (["book/bible", "book/comic"], ())


def test_a_pick_may_have_a_shape_and_a_time_of_its_own() -> None:
    shape = Pieces("book", Text(""), least=0, auto=True)
    field = read("book", lambda draft: (), shape=shape, when=lambda draft: draft.seat)
    assert (field.shape, field.when(Draft(SHELF, SEAT))) == (shape, 0)


def test_values_are_read_by_the_kind_of_their_field() -> None:
    blanks: list[Blank[Shelf]] = [
        places("places", lambda draft, field: field),
        facing("facing", lambda draft, field: field),
        along("way", lambda draft, field: field),
        template("at", lambda draft, field: field),
        number("dice", 6, lambda draft, field: field),
        option("power", lambda draft, field: field),
        Blank(scene.Words("words", Text(""))),
    ]
    values = {
        "places": {"piece/a": [1, 2]},
        "facing": 90,
        "way": 3,
        "at": [4, 5],
        "dice": 2,
        "power": "x",
        "words": "y",
    }
    draft = Draft(SHELF, SEAT, "any", values)
    assert [blank.read(draft) for blank in blanks] == [{FigureId("a"): (1, 2)}, 90, 3, (4, 5), 2, "x", "y"]
    assert all(blank.fill(draft, blank.shape) == blank.shape for blank in blanks)
