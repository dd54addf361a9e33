"""English catalogue: all words of the system by key, and the rulebook."""

from __future__ import annotations

from typing import Final

from engine.core.view.words import words_of
from engine.rulesets.action_cards.text.rulebook import ENGLISH as BOOK

ENGLISH: Final[dict[str, str]] = {
    **words_of(__package__, "play", "vehicles", "content", "later_scenarios"),
    **BOOK,
    **words_of(__package__, "events"),
}


def catalogue(language: str) -> dict[str, str]:
    """Return all texts in this language; English is the only one so far, and stands in for every other."""
    return ENGLISH
