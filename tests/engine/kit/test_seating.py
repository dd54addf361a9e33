"""Seats in the order of turns, and enemies by side."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.memo import MatchContent
from engine.kit.seating import Seated


class Plan(msgspec.Struct, frozen=True):
    sides: tuple[int, ...] = ()


class Content(MatchContent, frozen=True):
    scenario: Plan


class Field(msgspec.Struct, Seated, frozen=True):
    resolved: Content
    seats: tuple[str, ...]


def field(seats: int, *sides: int) -> Field:
    return Field(Content(Plan(sides)), ("",) * seats)


def test_two_alone_are_enemies() -> None:
    two = field(2)
    assert (list(two.players), two.sides, two.leaders) == ([0, 1], (), (0, 1))
    assert two.hostile(0, 1)
    assert not two.hostile(1, 1)
    assert (two.foe(0), two.foe(1)) == (1, 0)


@pytest.mark.parametrize(("first", "order"), [(0, [0, 1, 2, 3]), (1, [1, 0, 2, 3]), (3, [3, 2, 0, 1])])
def test_the_seats_of_a_side_go_together(first: int, order: list[int]) -> None:
    assert field(4, 0, 0, 1, 1).side_by_side(first) == order


def test_the_next_enemy_rolls_against_a_seat() -> None:
    four = field(4, 0, 1, 0, 1)
    assert [four.foe(seat) for seat in four.players] == [1, 2, 3, 0]
    assert four.after(2) == [3, 0, 1, 2]
    assert field(4, 0, 0, 1, 1).leaders == (0, 2)


def test_a_state_on_a_second_base_is_a_value_still() -> None:
    two = field(2, 0, 1)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(two), type=Field) == two
