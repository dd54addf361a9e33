"""Long answers worked out piece by piece."""

from __future__ import annotations

import pytest

from engine.core.rules.steps import Steps, finished


def counted(to: int, done: list[int]) -> Steps[int]:
    for number in range(to):
        done.append(number)
        yield
    if to < 0:
        raise ValueError("nothing to count")
    return to


def test_all_steps_are_taken_before_the_answer() -> None:
    done: list[int] = []
    assert finished(counted(3, done)) == 3
    assert done == [0, 1, 2]


def test_an_answer_without_steps_is_ready_at_once() -> None:
    assert finished(counted(0, [])) == 0


def test_what_a_step_raises_reaches_the_asker() -> None:
    with pytest.raises(ValueError, match="nothing to count"):
        finished(counted(-1, []))
