"""Shares of a catalogue that are there in another language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

PLACES: Final = re.compile(r"help\..*\.rule|book\..*\.picture|book\.\w+|book\.\w+\.(rule|choice)/.*|sound\..*")
"""Entries that are no words: the order, the pictures and the places of a rulebook, the rule of an explanation, the
names of sounds."""


def is_words(key: str) -> bool:
    """Tell whether the entry of a key is read by people."""
    return PLACES.fullmatch(key) is None


def share_of(english: Mapping[str, str], other: Mapping[str, str]) -> int:
    """Return the whole percent of the lines of a catalogue that another language has."""
    lines = [key for key in english if is_words(key)]
    return 100 * sum(key in other for key in lines) // max(len(lines), 1)
