"""The fields of a reply: read by form, refused by name; the next field to fill in; what files define twice."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from engine.core.changes import changed_at
from engine.core.content_files import Problem, defined_twice, used_twice
from engine.core.errors import IllegalIntent
from engine.core.replies import next_field, offered
from engine.core.reply_fields import Fields
from protocol.scene import Choice, Number, PickPoint, SeatNode
from protocol.text import Text, text

WHERE = PickPoint("where", text("where"), lazy=True)
MANY = Number("many", text("many"), most=3)
KNOWN = Number("known", text("known"), auto=True)
GO = Choice("go", text("go"), (MANY, KNOWN, WHERE))


def code(read: Callable[[], object]) -> str:
    with pytest.raises(IllegalIntent) as raised:
        read()
    return raised.value.refusal.code


def test_values_are_read_by_form() -> None:
    fields = Fields(
        {"unit": ["group/7"], "to": [3, 4], "dice": 2, "places": {"piece/1": [5, 6]}, "split": {"gun": "group/9"}}
    )
    assert (fields.node("unit"), fields.point("to"), fields.number("dice")) == ("7", (3, 4), 2)
    assert (fields.places("places"), fields.slots("split")) == ({"1": (5, 6)}, {"gun": "9"})
    fields.done()


def test_what_is_left_out_has_something_in_its_stead_or_is_missed() -> None:
    fields = Fields({})
    assert (fields.nodes("a"), fields.points("b"), fields.places("c"), fields.slots("d")) == ((), (), {}, {})
    assert (fields.word("e", ""), fields.number("f", -1), fields.has("g")) == ("", -1, False)
    required: tuple[Callable[[str], object], ...] = (fields.node, fields.word, fields.number, fields.point)
    for read in required:
        assert code(partial(read, "h")) == "reply/missing-field"


@pytest.mark.parametrize("value", [None, True, "word", [1], [[1, 2]], {"a": 1}, {1: "a"}])
def test_another_form_is_refused(value: object) -> None:
    fields = Fields({"it": value})
    reads: set[Callable[[str], object]] = {
        fields.nodes,
        fields.node,
        fields.number,
        fields.point,
        fields.places,
        fields.slots,
    }
    for read in reads if isinstance(value, str) else {*reads, fields.word}:
        assert code(partial(read, "it")) == "reply/bad-field"


def test_a_field_that_nobody_reads_is_refused() -> None:
    fields = Fields({"unit": ["group/7"], "force": 3})
    fields.node("unit")
    assert code(fields.done) == "reply/unknown-field"


def test_the_next_field_is_the_first_open_one_that_is_not_known_already() -> None:
    assert next_field(GO, {}) is MANY
    assert next_field(GO, {"many": 1}) is WHERE
    assert code(lambda: next_field(GO, {"many": 4})) == "reply/bad-field"
    assert code(lambda: next_field(GO, {"many": 1, "where": [1, 2]})) == "reply/unknown-field"


def test_a_choice_that_is_not_offered_is_refused() -> None:
    assert offered([GO], "go") is GO
    assert code(lambda: offered([GO], "stay")) == "reply/unknown-choice"


def test_what_is_there_twice_is_told_by_its_place() -> None:
    assert list(used_twice(("table", "row"), ["a", "b", "a"])) == [
        Problem(("table", "row", 2, "id"), "the id a is used twice")
    ]
    files = {"one": [(("map", "id"), "a"), (("card", "id"), "b")], "two": [(("map", "id"), "b"), (("map", "id"), "a")]}
    assert list(defined_twice(files)) == [("two", Problem(("map", "id"), "a is defined in one too"))]


def test_one_of_several_is_changed() -> None:
    seats = (SeatNode(Text("a"), 0), SeatNode(Text("b"), 1))
    assert changed_at(seats, 1, score=3) == (seats[0], SeatNode(Text("b"), 1, 3))
