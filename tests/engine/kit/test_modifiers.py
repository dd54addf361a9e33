"""Modifiers in their order, from code and from content, with what is shown of them."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest

from engine.kit.modifiers import Modification, Modified, ModifierEntry, ModifierTable, apply
from protocol.text import Text

BONUS, CAP, PENALTY = (
    Modification(Text("bonus"), 4),
    Modification(Text("cap"), 10, "most"),
    Modification(Text("penalty"), -1),
)

ROWS = """
[[modifier]]
id = "levels"
words = "Better weapons"
amount = 1
rule = "X-FIRE-38"
when = "levels"

[[modifier]]
id = "cap"
words = "Ten dice at most"
amount = 10
how = "most"

[[modifier]]
id = "exposed"
words = "Target in the open"
amount = 150
how = "percent"
when = "exposed"
"""


class Target(NamedTuple):
    levels: int
    exposed: bool


def rows() -> list[ModifierEntry]:
    return msgspec.toml.decode(ROWS, type=dict[str, list[ModifierEntry]])["modifier"]


def table() -> ModifierTable[Target]:
    made: ModifierTable[Target] = ModifierTable()
    made.load(rows(), {"levels": lambda target: target.levels, "exposed": lambda target: target.exposed})
    return made


def test_changes_count_in_their_order() -> None:
    assert apply(8, (BONUS, CAP, PENALTY)).number == 9
    assert apply(8, (BONUS, PENALTY, CAP)).number == 10
    assert apply(-3, (Modification(Text("one at least"), 1, "least"),)).number == 1


def test_a_change_that_changes_nothing_is_not_shown() -> None:
    assert apply(5, (BONUS, CAP, PENALTY)) == Modified(8, (BONUS, PENALTY))


def test_rows_of_content_hold_under_their_conditions() -> None:
    assert table().of(4, Target(0, exposed=False)) == Modified(4, ())
    number, lines = table().of(9, Target(3, exposed=True))
    assert number == 15
    assert [(line.words, line.amount, line.rule) for line in lines] == [
        (Text("Better weapons"), 3, "X-FIRE-38"),
        (Text("Ten dice at most"), 10, ""),
        (Text("Target in the open"), 150, ""),
    ]


def test_a_function_is_a_modifier_after_those_before_it() -> None:
    made = table()

    @made.modifier("smoke", Text("smoke"), "X-SMOKE-06")
    def smoke(target: Target) -> int | None:
        return -2 if target.exposed else None

    assert made.of(6, Target(1, exposed=False)).number == 7
    assert made.of(6, Target(0, exposed=True)).lines[-1] == Modification(Text("smoke"), -2, "add", "X-SMOKE-06")
    assert smoke(Target(0, exposed=True)) == -2


def test_a_row_that_nobody_can_read_is_refused() -> None:
    made: ModifierTable[Target] = ModifierTable()
    with pytest.raises(ValueError, match="no condition is called levels"):
        made.load(rows(), {})
    with pytest.raises(ValueError, match="two modifiers are called cap"):
        made.load([rows()[1], rows()[1]], {})
