"""Audiences: everyone, some seats, nobody yet."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.rules.audience import ALL, NOBODY, Audience, Seat, only


def test_only_all_is_public() -> None:
    assert ALL.public
    assert not NOBODY.public
    assert not only(Seat(0)).public
    assert NOBODY != ALL


@given(st.lists(st.integers(0, 9), unique=True))
def test_the_same_seats_are_the_same_audience_in_whatever_order(seats: list[int]) -> None:
    audience = only(*map(Seat, seats))
    assert audience == only(*map(Seat, reversed(seats)))
    assert audience.seats == tuple(sorted(seats))


@pytest.mark.parametrize("audience", [ALL, NOBODY, only(Seat(0), Seat(2))])
def test_an_audience_is_stored_and_read_again(audience: Audience) -> None:
    """An empty row of seats must be stored, or it would be read as everyone."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(audience), type=Audience) == audience
