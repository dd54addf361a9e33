"""Modifiers in their order, with what is shown of them."""

from __future__ import annotations

from engine.kit.modifiers import Modification, Modified, apply
from protocol.text import Text

BONUS, CAP, PENALTY = (
    Modification(Text("bonus"), 4),
    Modification(Text("cap"), 10, "most"),
    Modification(Text("penalty"), -1),
)


def test_changes_count_in_their_order() -> None:
    assert apply(8, (BONUS, CAP, PENALTY)).number == 9
    assert apply(8, (BONUS, PENALTY, CAP)).number == 10
    assert apply(-3, (Modification(Text("one at least"), 1, "least"),)).number == 1


def test_a_change_that_changes_nothing_is_not_shown() -> None:
    assert apply(5, (BONUS, CAP, PENALTY)) == Modified(8, (BONUS, PENALTY))
