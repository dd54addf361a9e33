"""Copies with one part changed."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.changes import changed_at
from protocol.scene.nodes import SeatNode
from protocol.text import Text

SEATS = tuple(SeatNode(Text(name), colour) for colour, name in enumerate("abcd"))


@given(st.integers(0, 3), st.integers(1, 9))
def test_one_of_several_is_changed(place: int, score: int) -> None:
    changed = changed_at(SEATS, place, score=score)
    assert changed[place] == SeatNode(Text("abcd"[place]), place, score)
    assert [one is other for one, other in zip(changed, SEATS, strict=True)] == [n != place for n in range(4)]
    assert SEATS[place].score == 0


def test_a_place_or_a_field_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IndexError):
        changed_at(SEATS, 4, score=1)
    with pytest.raises(TypeError):
        changed_at(SEATS, 0, height=1)
