"""Filled-in choices checked against what was offered; the next field to fill in."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.questions import Ask
from engine.core.rules.replies import (
    check_reply,
    check_value,
    choice_named,
    completed,
    field_refused,
    is_point,
    is_whole,
    next_field,
    unknown_choice,
)
from protocol.scene.fields import (
    AnyField,
    Assign,
    Barred,
    Facing,
    Number,
    Option,
    Order,
    PathPoint,
    PickCell,
    PickOption,
    PickPoint,
    Pieces,
    Placement,
    Template,
    Way,
    Words,
)
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text, text

AB = (Option("a"), Option("b"))
ABC = (*AB, Option("c"))
WHERE = PickPoint("where", text("where"), lazy=True)
MANY = Number("many", text("many"), most=3)
KNOWN = Number("known", text("known"), auto=True, most=9)
GO = Choice("go", text("go"), (MANY, KNOWN, WHERE))
STAY = Choice("stay", text("stay"))


def test_a_reply_that_fits_is_of_its_choice() -> None:
    assert check_reply([STAY, GO], Reply("go", {"many": 3, "where": [1, 2]})) is GO
    assert check_reply([STAY, GO], Reply("stay")) is STAY


@pytest.mark.parametrize(
    ("reply", "code", "named"),
    [
        (Reply("run"), "unknown-choice", {"choice": "run"}),
        (Reply("stay", {"many": 1}), "unknown-field", {"field": "many"}),
        (Reply("go", {"many": 1}), "missing-field", {"field": "where"}),
        (Reply("go", {"many": 4, "where": [1, 2]}), "bad-field", {"field": "many"}),
        (Reply("go", {"many": 1, "known": 10, "where": [1, 2]}), "bad-field", {"field": "known"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_reply_that_does_not_fit_is_refused_by_name(reply: Reply, code: str, named: dict[str, str]) -> None:
    with pytest.raises(IllegalIntent, match=f"reply/{code}") as raised:
        check_reply([STAY, GO], reply)
    assert raised.value.refusal.text == Text(f"refuse.reply/{code}", {**named})


SLOTS = Assign("f", text("f"), items=AB, slots=(Option("x"), Option("y")), room={"x": 1})


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        (Pieces("f", text("f"), options=ABC, most=2), [["a"], ("c", "b")], ["a", [], ["a", "a"], ["d"], [1]]),
        (Pieces("f", text("f"), options=ABC, most=2), [["a", "b"]], [["a", "b", "c"], None]),
        (Pieces("f", text("f"), lazy=True), [[], ["d", "e"]], ["a", ["d", "d"], [1]]),
        (PickOption("f", text("f"), options=AB), ["a"], ["c", ["a"], 1, None]),
        (PickOption("f", text("f"), lazy=True), ["c"], [1, None]),
        (PickPoint("f", text("f")), [[1, 2], (-1, 0)], [[1], [1, 2, 3], [1, 2.0], [True, 1], "12"]),
        (Template("f", text("f")), [[1, 2]], [[1], 3]),
        (PickCell("f", text("f"), options=((1, 2),)), [[1, 2], (1, 2)], [[2, 1], [1], 1]),
        (PickCell("f", text("f"), lazy=True), [[2, 1]], [[1], 1]),
        (PathPoint("f", text("f"), path=((0, 0), (1, 0), (2, 0)), least=1), [1, 2], [0, 3, "1", True]),
        (PathPoint("f", text("f"), lazy=True), [9], ["1", True]),
        (
            Way("f", text("f"), most=2),
            [[1, 2], [1, 2, 3, -4], (1, 2)],
            [[], [1], [1, 2, 3], [1, 2] * 3, [1, 2.0], "12"],
        ),
        (Way("f", text("f"), least=0), [[], [1, 2] * 8], [[1, 2] * 9, [[1, 2]], [1, True]]),
        (Way("f", text("f"), lazy=True, least=2), [[], [1, 2] * 8], [[1, 2] * 9, [1], None]),
        (Facing("f", text("f"), angles=(0, 90)), [0, 90], [45, "0", False]),
        (Facing("f", text("f"), lazy=True), [45], ["0", False]),
        (Placement("f", text("f")), [{}, {"piece/1": [1, 2]}], [[], {"piece/1": [1]}, {1: [1, 2]}]),
        (Number("f", text("f"), least=1, most=3), [1, 3], [0, 4, "1", True, 1.0]),
        (SLOTS, [{"a": "x", "b": "y"}, {"a": "y", "b": "y"}], [{"a": "x", "b": "x"}, {"a": "x"}, []]),
        (SLOTS, [], [{"a": "x", "b": "z"}]),
        (SLOTS, [{"a": "y", "b": "x"}], [{"a": "x", "b": 1}, {"a": "y", "b": "y", "c": "y"}, {"a": ["x"], "b": "y"}]),
        (replace(SLOTS, default={"b": "y"}), [{"a": "x"}, {"a": "y", "b": "x"}], [{}, {"b": "x"}]),
        (Assign("f", text("f"), lazy=True), [{}, {"a": "x"}], [{"a": 1}, {1: "x"}, ["a"]]),
        (Order("f", text("f"), lazy=True), [["b", "a"], []], [[1], "ab"]),
        (Number("f", text("f"), lazy=True), [0, 9], ["1", True]),
        (Order("f", text("f"), items=AB), [["b", "a"], ("a", "b")], [["a"], ["a", "a"], ["a", "b", "b"], "ab"]),
        (Words("f", text("f"), most=3), ["", "abc"], ["abcd", 1, None]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, AnyField) else "",
)
def test_each_kind_of_field_takes_its_own_form(field: AnyField, good: list[object], bad: list[object]) -> None:
    for value in good:
        check_value(field, value)
    for value in bad:
        with pytest.raises(IllegalIntent, match="reply/bad-field"):
            check_value(field, value)


def test_a_slot_that_an_item_may_not_take_is_refused_with_its_reason() -> None:
    bars: dict[str, tuple[Barred, ...]] = {"a": (Barred("x", "react/far", text("too.far")),)}
    field = Assign("f", text("f"), items=AB, slots=(Option("x"), Option("y")), bars=bars, default={"a": "y", "b": "y"})
    check_value(field, {"b": "x"})
    with pytest.raises(IllegalIntent) as raised:
        check_value(field, {"a": "x"})
    assert (raised.value.refusal.code, raised.value.refusal.text) == ("react/far", text("too.far"))


def test_items_that_an_answer_leaves_out_take_their_defaults() -> None:
    field = replace(SLOTS, default={"a": "x", "b": "y"})
    choice = Choice("go", text("go"), (field, MANY))
    assert completed(choice, Reply("go", {"f": {"b": "y"}, "many": 1})).fields == {
        "f": {"a": "x", "b": "y"},
        "many": 1,
    }
    ask = Ask(text("go"), (choice,), Reply("go", {"f": {}, "many": 0}), lambda reply: reply.fields["f"])
    assert ask.read(Reply("go", {"f": {"a": "y"}, "many": 1})) == {"a": "y", "b": "y"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from("abxyz") | st.floats(),
    lambda inner: st.lists(inner, max_size=18) | st.dictionaries(st.sampled_from("abxyz") | st.integers(), inner),
    max_leaves=20,
)
FUZZED = (
    Way("f", text("f"), least=2, most=3),
    Way("f", text("f"), lazy=True),
    replace(SLOTS, default={"b": "y"}, bars={"a": (Barred("y", "no/no", text("no")),)}),
    Placement("f", text("f")),
)


@given(st.sampled_from(FUZZED), VALUES)
def test_any_value_fits_or_is_refused_and_nothing_else(field: AnyField, value: object) -> None:
    code = ""
    try:
        check_value(field, value)
    except IllegalIntent as refused:
        code = refused.refusal.code
    assert code in ("", "reply/bad-field", "no/no")
    assert code or value or field.lazy or isinstance(field, Placement)


def test_the_next_field_is_the_first_open_one_that_is_not_known_already() -> None:
    assert next_field(GO, {}) is MANY
    assert next_field(GO, {"many": 1}) is WHERE
    with pytest.raises(IllegalIntent, match="reply/bad-field"):
        next_field(GO, {"many": 4})
    with pytest.raises(IllegalIntent, match="reply/unknown-field"):
        next_field(GO, {"many": 1, "where": [1, 2]})


def test_a_field_that_is_known_and_has_no_options_yet_is_asked_for() -> None:
    lazy = Number("lazy", text("lazy"), auto=True, lazy=True)
    assert next_field(Choice("go", text("go"), (KNOWN, lazy)), {}) is lazy


def test_a_choice_that_is_not_offered_is_refused() -> None:
    assert choice_named([GO], "go") is GO
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        choice_named([GO], "stay")


def test_refusals_name_what_they_are_of() -> None:
    assert unknown_choice("run").refusal.text == Text("refuse.reply/unknown-choice", {"choice": "run"})
    assert field_refused("bad-field", "many").refusal.text == Text("refuse.reply/bad-field", {"field": "many"})


def test_whole_numbers_are_neither_truths_nor_fractions() -> None:
    assert [value for value in (0, -3, True, 1.0, "1", None) if is_whole(value)] == [0, -3]
    assert not is_whole(value=True)
    assert is_point((1, -2))
    assert not is_point((1, True))
    assert not is_point({1: 1, 2: 2})
