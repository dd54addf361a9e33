"""Results that a bot keeps: the latest of them, as many as it says."""

from __future__ import annotations

from pathlib import Path

from engine import rulesets
from engine.kit.remembered import remembered


def test_a_result_is_worked_out_once_while_it_is_among_the_latest() -> None:
    asked: list[int] = []

    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    twice = remembered(double, most=2)
    assert [twice(number) for number in (1, 1, 2, 1, 3, 1)] == [2, 2, 4, 2, 6, 2]
    assert asked == [1, 2, 3]
    assert twice(2) == 4
    assert asked == [1, 2, 3, 2]


def test_no_system_has_a_cache_of_its_own() -> None:
    modules = list(Path(rulesets.__path__[0]).rglob("*.py"))
    assert modules
    for module in modules:
        for line in module.read_text().splitlines():
            names = set(line.removeprefix("from functools import ").split(", "))
            assert names.isdisjoint({"cache", "lru_cache"}), f"{module}: {line}"
