"""Questions: choices, values of answers, and the digest that identifies a question."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.rules.questions import CHOICE, SEALED, Ask, Question, Window, confirm, digest16, pick_one, pick_some
from protocol.scene.advice import Gesture
from protocol.scene.fields import Option, PickOption, Pieces
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text

UNITS = (Option("group/1", Text("guards")), Option("group/2"), Option("group/3"))
ONE = pick_one(Text("one"), UNITS, "group/2", rule="R-1")
SOME = pick_some(Text("some"), UNITS, 1, 2, ["group/3"])
SURELY = confirm(Text("sure"), Text("y"), Text("n"), default=True)
SURE = confirm(Text("sure"), Text("y"), Text("n"), default=False)


@pytest.mark.parametrize(("ask", "value"), [(ONE, "group/2"), (SOME, ("group/3",)), (SURE, False), (SURELY, True)])
def test_a_default_has_a_value_like_any_answer(ask: Ask[object], value: object) -> None:
    assert ask.read(ask.default) == value


def test_one_of_several_is_a_choice_each() -> None:
    assert [choice.id for choice in ONE.choices] == ["group/1", "group/2", "group/3"]
    assert [choice.name for choice in ONE.choices] == [Text("guards"), Text("group/2"), Text("group/3")]
    assert [choice.about for choice in ONE.choices] == [("group/1",), ("group/2",), ("group/3",)]
    assert (ONE.read(Reply("group/1")), ONE.rule) == ("group/1", "R-1")


def test_some_of_several_are_given_in_the_order_picked() -> None:
    (choice,) = SOME.choices
    (field,) = choice.fields
    assert isinstance(field, Pieces)
    assert (field.least, field.most, field.default) == (1, 2, ("group/3",))
    assert SOME.read(Reply("pick", {"picked": ["group/3", "group/1"]})) == ("group/3", "group/1")


def test_answers_are_given_by_clicks_which_are_no_part_of_what_is_offered() -> None:
    assert ONE.choices[0].gesture == Gesture()
    assert SOME.choices[0].gesture == Gesture(object="picked", on="group")
    falls = pick_some(Text("fall"), (Option("piece/1"), Option("piece/2")), 1, 1, ["piece/1"])
    assert falls.choices[0].gesture == Gesture(object="picked", on="piece")
    plain = replace(falls, choices=(msgspec.structs.replace(falls.choices[0], gesture=None),))
    one, other = (Question(0, "fall", CHOICE, {Seat(0): ask}).digest(bytes(16)) for ask in (falls, plain))
    assert one == other


@pytest.mark.parametrize(
    "picked",
    [[], ["group/1", "group/2", "group/3"], ["group/4"], ["group/1", "group/1"]],
    ids=["few", "many", "other", "twice"],
)
def test_too_few_too_many_and_others_are_refused(picked: list[str]) -> None:
    with pytest.raises(IllegalIntent, match="reply/bad-field"):
        SOME.read(Reply("pick", {"picked": picked}))


def test_yes_is_yes() -> None:
    assert SURE.read(Reply("yes")) is True
    assert SURE.read(Reply("no")) is False
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        SURE.read(Reply("maybe"))


def test_what_a_reply_is_worth_may_be_refused_too() -> None:
    def dear(reply: Reply) -> int:
        raise IllegalIntent("bid/too-dear")

    with pytest.raises(IllegalIntent, match="bid/too-dear"):
        Ask(SURE.title, SURE.choices, SURE.default, dear).read(Reply("yes"))


def test_a_lazy_field_that_nothing_fills_in_is_refused_as_the_question_is_made() -> None:
    choice = Choice("go", Text("go"), (PickOption("to", Text("to"), lazy=True),))
    with pytest.raises(RuleBug, match="nothing fills in the lazy field 'to' of 'go'"):
        Ask(Text("where"), (choice,), Reply("go", {"to": "a"}), lambda reply: reply.fields["to"])


def test_a_digest_is_of_all_that_is_offered_and_of_the_salt() -> None:
    seat = Seat(0)
    base = Question(0, "vote", SEALED, {seat: SURE})
    others = [
        Question(0, "veto", SEALED, {seat: SURE}),
        Question(0, "vote", CHOICE, {seat: SURE}),
        Question(0, "vote", Window("vote", 20), {seat: SURE}),
        Question(0, "vote", SEALED, {Seat(1): SURE}),
        Question(0, "vote", SEALED, {seat: SURE, Seat(1): SURE}),
        Question(0, "vote", SEALED, {seat: ONE}),
        Question(0, "vote", SEALED, {seat: confirm(SURE.title, Text("y"), Text("n"), default=True)}),
        Question(0, "vote", SEALED, {seat: confirm(SURE.title, Text("yes"), Text("n"), default=False)}),
    ]
    digests = {question.digest(b"salt") for question in (base, *others)} | {base.digest(b"other")}
    assert len(digests) == len(others) + 2
    assert {len(digest) for digest in digests} == {16}
    again = Question(7, "vote", SEALED, {seat: confirm(Text("sure"), Text("y"), Text("n"), default=False)})
    assert again.digest(b"salt") == base.digest(b"salt")


def test_seats_are_told_apart_by_themselves_and_not_by_their_order() -> None:
    one = Question(0, "vote", SEALED, {Seat(0): SURE, Seat(1): ONE})
    other = Question(0, "vote", SEALED, {Seat(1): ONE, Seat(0): SURE})
    assert one.digest(b"") == other.digest(b"")


def test_a_keyed_digest_is_of_16_bytes() -> None:
    assert len({digest16(b"a", b"x"), digest16(b"b", b"x"), digest16(b"a", b"y")}) == 3
    assert digest16(b"a", b"x") == digest16(b"a", b"x")
    assert len(digest16(b"a", b"x")) == 16
