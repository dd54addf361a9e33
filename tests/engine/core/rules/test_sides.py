"""Sides: who stands with whom, what they may know together, how they come out."""

from __future__ import annotations

import pytest

from engine.core.rules.audience import ALL, NOBODY, Audience, Seat, only
from engine.core.rules.sides import (
    ALONE,
    allies_of,
    are_enemies,
    audience_of,
    fault_of,
    side_of,
    side_results,
)
from protocol.scene.nodes import SeatResult, SideResult

PAIRS = (0, 1, 0, 1)


def test_allies_are_of_one_side() -> None:
    assert allies_of(PAIRS, 2) == (0, 2)
    assert not are_enemies(PAIRS, 0, 2)
    assert are_enemies(PAIRS, 0, 3)
    assert side_of(PAIRS, 3) == 1


def test_seats_without_sides_stand_alone() -> None:
    assert allies_of(ALONE, 2) == (2,)
    assert are_enemies(ALONE, 0, 2)
    assert not are_enemies(ALONE, 2, 2)
    assert side_of(ALONE, 3) == 3
    assert side_results(ALONE, [SeatResult(0, won=True)]) == ()


def test_what_a_seat_may_know_its_side_may() -> None:
    assert audience_of(PAIRS, only(Seat(2))) == Audience((0, 2))
    assert audience_of(PAIRS, only(Seat(1), Seat(2))) == Audience((0, 1, 2, 3))
    assert audience_of(ALONE, only(Seat(2))) == only(Seat(2))
    assert audience_of(PAIRS, ALL) is ALL
    assert audience_of(PAIRS, NOBODY) is NOBODY


@pytest.mark.parametrize(
    ("sides", "fault"),
    [((), ""), (PAIRS, ""), ((0, 0, 0, 0), ""), ((0, 1), "sides of 2 seats"), ((0, 2, 0, 2), "without a gap")],
)
def test_sides_are_numbered_from_0_and_one_for_each_seat(sides: tuple[int, ...], fault: str) -> None:
    found = fault_of(sides, 4)
    assert fault in found
    assert bool(found) is bool(fault)


def test_a_side_has_the_scores_of_its_seats_and_wins_with_them() -> None:
    seats = [SeatResult(seat, seat % 2 == 0, seat) for seat in range(4)]
    assert side_results(PAIRS, seats) == (SideResult(0, won=True, score=2), SideResult(1, won=False, score=4))
