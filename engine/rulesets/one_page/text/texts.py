"""English catalogue: all words of the system by key, and the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.view.words import words_of
from engine.rulesets.one_page.text.rulebook import ENGLISH as RULEBOOK

ARMY_LISTS: Final = words_of(__package__, "army_lists")
ENGLISH: Final = {**ARMY_LISTS, **words_of(__package__, "play", "book", "commentary"), **RULEBOOK}


def catalogue(language: str) -> Mapping[str, str]:
    """Return all texts; there is only English, whatever the language."""
    return ENGLISH
