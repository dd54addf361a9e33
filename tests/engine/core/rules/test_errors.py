"""The engine's exceptions: refusals with code and text, checks that refuse, and the tree as drawn."""

from __future__ import annotations

import pytest

from engine.core.rules import errors
from engine.core.rules.errors import IllegalIntent, Refusal, RuleBug, first_passing, forbid, is_legal, passing, refusal
from protocol.errors import DamageError, EschatonError, FaultError, RefusedError
from protocol.ids import NodeId
from protocol.text import Text, text


def refuse() -> None:
    raise IllegalIntent("buy/no-coins")


def break_down() -> None:
    raise RuleBug("of the rules")


def test_a_refusal_has_the_catalogues_text_unless_another_is_given() -> None:
    assert refusal("buy/no-coins") == Refusal("buy/no-coins", Text("refuse.buy/no-coins"))
    assert IllegalIntent("buy/no-coins").refusal == refusal("buy/no-coins")
    words = text("too-dear", price=3)
    refused = IllegalIntent("buy/no-coins", words)
    assert refused.refusal == Refusal("buy/no-coins", words)
    assert str(refused) == "buy/no-coins"


def test_a_check_is_legal_where_it_refuses_nothing_and_a_bug_is_no_refusal() -> None:
    assert is_legal(lambda: False)
    assert not is_legal(refuse)
    with pytest.raises(RuleBug):
        is_legal(break_down)


def test_what_passes_a_check_is_what_it_does_not_refuse() -> None:
    def check(number: int) -> None:
        if number % 2:
            refuse()
        if number > 4:
            break_down()

    assert passing((1, 2, 3, 4), check) == [2, 4]
    with pytest.raises(RuleBug):
        passing((6,), check)


def test_the_first_thing_that_passes_counts_and_the_first_refusal_of_all() -> None:
    def check(number: int) -> str:
        if number % 2:
            raise IllegalIntent("buy/odd", number=number)
        return str(number)

    assert first_passing((1, 2, 4), check, "buy/nothing") == "2"
    for things, expected in (((3, 1), text("refuse.buy/odd", number=3)), ((), Text("refuse.buy/nothing"))):
        with pytest.raises(IllegalIntent) as refused:
            first_passing(things, check, "buy/nothing")
        assert refused.value.refusal.text == expected


def test_the_tree_drawn_in_the_module_is_that_of_the_classes() -> None:
    tree = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, EschatonError)}
    branch = ""
    drawn = {}
    for line in map(str.strip, errors.__doc__.splitlines()):
        words = line.replace("|", " ").replace("`", " ").replace("--", " ").split()
        if line.startswith(("|-- ", "`-- ")):
            branch, drawn[words[0]] = words[0], "EschatonError"
        elif line.startswith("|   "):
            drawn[words[0]] = branch
    assert drawn == {kind.__name__: kind.__bases__[0].__name__ for kind in tree - {EschatonError}}
    assert {RefusedError, FaultError, DamageError} <= tree


def test_a_condition_that_holds_forbids_an_intent() -> None:
    forbid([], "move/tracked")
    with pytest.raises(IllegalIntent) as refused:
        forbid(["tracked"], "move/tracked")
    assert refused.value.refusal == refusal("move/tracked")


def test_a_refusal_can_show_what_is_in_the_way() -> None:
    assert IllegalIntent("move/ends-at-barrier").refusal.by == ""
    shown = IllegalIntent("move/ends-at-barrier", feature="the wall").showing(NodeId("feature/wall"))
    assert (shown.refusal.code, shown.refusal.by) == ("move/ends-at-barrier", "feature/wall")
