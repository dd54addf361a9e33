"""The fields of a reply: read by form, refused by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.reply_fields import Fields
from protocol.scene.fields import Number, PickPoint
from protocol.scene.nodes import Choice
from protocol.text import text

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
    fields.check_all_read()


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
    assert code(fields.check_all_read) == "reply/unknown-field"
