"""Seats of a scenario make a game, or it is told why they do not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.kit.scenario.seats import seat_faults

HERE = ("scenario", "form", 0)


@pytest.mark.parametrize(
    ("seats", "sides", "points", "told"),
    [
        (2, (0, 1), (1000, 1000), []),
        (2, (0, 1), (1000, 950), []),
        (2, (0, 1), (1000, 949), ["points: the sides have 1000 and 949: within 5 % is fair"]),
        (3, (0, 0, 1), (350, 350, 700), []),
        (5, (0, 0, 0, 1, 1), (), []),
        (6, (0, 0, 0, 1, 1, 1), (), []),
        (5, (0, 0, 0, 0, 1), (), ["sides: there are two sides, 0 and 1, of at most 3 seats"]),
        (3, (0, 1, 2), (), ["sides: there are two sides, 0 and 1, of at most 3 seats"]),
        (2, (0, 0), (), ["sides: there are two sides, 0 and 1, of at most 3 seats"]),
        (3, (), (1, 2, 3), []),
        (6, (), (), []),
        (2, (), (), ["sides: at least 3 play each for themselves"]),
        (7, (), (), ["a scenario has 2 to 6 seats, not 7"]),
        (1, (), (), ["a scenario has 2 to 6 seats, not 1", "sides: at least 3 play each for themselves"]),
    ],
)
def test_seats_are_two_fair_sides_or_each_alone(
    seats: int, sides: Sequence[int], points: Sequence[int], told: list[str]
) -> None:
    faults = seat_faults(HERE, seats, sides, points)
    assert [": ".join((*map(str, fault.loc[3:]), fault.reason)) for fault in faults] == told
