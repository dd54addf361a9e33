"""Printed prices are those of the formula."""

from __future__ import annotations

from engine.core.content.content_files import ContentFault
from engine.kit.lists.price_checks import price_faults

HERE = ("page", "unit", 0, "points")
COSTS = {"rifle": 10}


def faults(weapon: str, told: int, *, blind: bool = False) -> list[ContentFault]:
    return list(price_faults(HERE, told, lambda: (COSTS[weapon], f"{COSTS[weapon]} of it"), blind=blind))


def test_a_price_that_the_formula_makes_is_no_fault() -> None:
    assert faults("rifle", 10) == []


def test_another_price_and_a_missing_number_are_told() -> None:
    assert faults("rifle", 15) == [ContentFault(HERE, "the points formula makes 10 of it")]
    assert faults("gun", 15) == [ContentFault(HERE, "the points formula has no number for gun")]
    assert faults("gun", 15, blind=True) == []
