"""Lengths on the table in short, as they stand on a board and in a line of a panel."""

from __future__ import annotations

from client.text.phrases import phrase
from client.text.spoken import SPOKEN


def short_length(hundredths: float, unit: str) -> str:
    """Return a length in the table's unit, with one decimal where it is not whole: "5.5″", "12 cm". `unit`: of the
    table, in or cm."""
    number = SPOKEN.decimal(hundredths / 100, "0.#")
    return phrase("length.cm" if unit == "cm" else "length.in", number=number)
