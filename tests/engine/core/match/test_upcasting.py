"""Entries of older layouts that stored the faces of a roll and not its number."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.match.upcasting import roll_before

FIRST: dict[str, Any] = {"e": "core.dice", "round": 3, "n": 0, "faces": [4, 4]}
SECOND: dict[str, Any] = {"e": "core.dice", "round": 3, "n": 1, "faces": [4, 4]}
OTHER: dict[str, Any] = {"e": "moved", "faces": [4, 4]}


def test_the_newest_roll_before_the_entry_is_its_roll() -> None:
    assert roll_before([FIRST, OTHER], (4, 4)) == (3, 0, False)
    assert roll_before([FIRST, SECOND, OTHER], [4, 4]) == (3, 1, False)


@pytest.mark.parametrize(("to", "is_hidden"), [({}, False), ({"seats": None}, False), ({"seats": [1]}, True)])
def test_a_roll_that_not_everyone_may_know_is_of_the_hidden_chain(to: dict[str, object], *, is_hidden: bool) -> None:
    assert roll_before([{**FIRST, "to": to}], [4, 4]) == (3, 0, is_hidden)


@pytest.mark.parametrize("earlier", [[], [OTHER], [{**FIRST, "faces": [4, 5]}], [FIRST, {**SECOND, "faces": [4]}]])
def test_faces_of_no_roll_before_them_are_an_error(earlier: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError, match=r"\[4, 4\]"):
        roll_before(earlier, [4, 4])
