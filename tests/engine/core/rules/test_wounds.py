"""Wounds shared out among figures, one after another."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.wounds import Allotment, Harm, allot
from protocol.ids import FigureId

A = FigureId("a")
B = FigureId("b")
C = FigureId("c")

ORDER = [(A, 1), (B, 3), (C, 2)]
LIVES = st.lists(st.integers(1, 4), max_size=6).map(
    lambda lives: [(FigureId(f"f{n}"), life) for n, life in enumerate(lives)]
)
HARMS = st.lists(st.builds(Harm, st.integers(0, 6), st.booleans()), max_size=6)


@pytest.mark.parametrize(
    ("harms", "allotment"),
    [
        ([], Allotment({}, (), 0)),
        ([Harm(2)], Allotment({A: 1, B: 1}, (A,), 0)),
        ([Harm(4)], Allotment({A: 1, B: 3}, (A, B), 0)),
        ([Harm(9)], Allotment({A: 1, B: 3, C: 2}, (A, B, C), 3)),
        ([Harm(3, single=True)], Allotment({A: 1}, (A,), 2)),
        ([Harm(1), Harm(2, single=True), Harm(1)], Allotment({A: 1, B: 3}, (A, B), 0)),
        ([Harm(6), Harm(2, single=True)], Allotment({A: 1, B: 3, C: 2}, (A, B, C), 2)),
    ],
)
def test_a_figure_takes_wounds_until_it_falls_and_then_the_next_one(harms: list[Harm], allotment: Allotment) -> None:
    assert allot(ORDER, harms) == allotment


@given(LIVES, HARMS)
def test_every_wound_is_taken_or_lost_and_only_one_figure_is_left_hurt(
    order: list[tuple[FigureId, int]], harms: list[Harm]
) -> None:
    found = allot(order, harms)
    assert sum(found.taken.values()) + found.lost == sum(harm.wounds for harm in harms)
    assert found.fallen == tuple(id for id, life in order if found.taken.get(id) == life)
    assert all(0 < found.taken[id] <= dict(order)[id] for id in found.taken)
    assert list(found.taken) == [id for id, _ in order[: len(found.taken)]]
    assert len(found.taken) - len(found.fallen) in (0, 1)
