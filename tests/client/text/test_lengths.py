"""Lengths in short: the number of units and the sign of the table's unit, as the language writes them."""

from __future__ import annotations

import pytest

from client.text.lengths import short_length
from tests.support.languages.speaking import speaking


@pytest.mark.parametrize(
    ("hundredths", "unit", "words"),
    [(500, "in", "5″"), (545, "in", "5.5″"), (1250, "cm", "12.5 cm"), (3000, "cm", "30 cm"), (100, "league", "1″")],
)
def test_a_length_is_told_in_the_tables_unit(hundredths: float, unit: str, words: str) -> None:
    assert short_length(hundredths, unit) == words


def test_a_length_is_written_as_in_the_language() -> None:
    with speaking("de"):
        assert [short_length(1250, "in"), short_length(1250, "cm")] == ["12,5″", "12,5 cm"]
