"""Bisection: the first place at which something is met, found in few steps."""

from __future__ import annotations

from hypothesis import given, strategies as st

from engine.space.vectors.bisection import first_met


@given(st.integers(-50, 1_000), st.integers(1, 1_000), st.data())
def test_the_first_that_is_met_is_found_with_few_looks(before: int, span: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(before + 1, before + span))
    asked: list[int] = []

    def met(place: int) -> bool:
        asked.append(place)
        return place >= first

    assert first_met(met, before + span, before) == first
    assert len(asked) <= span.bit_length()
    assert all(before < place < before + span for place in asked), "both ends are known"


def test_it_begins_at_nothing() -> None:
    assert first_met(lambda place: place >= 7, 100) == 7
    assert first_met(lambda place: True, 100) == 1
    assert first_met(lambda place: False, 100) == 100


def test_next_to_the_limit_nothing_is_asked() -> None:
    def never(place: int) -> bool:
        raise AssertionError(place)

    assert first_met(never, 5, 4) == 5
    assert first_met(never, 1) == 1
