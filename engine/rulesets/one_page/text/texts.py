"""English catalogue: all words of the system by key, and the rulebook (engine/core/view/rulebook.py)."""

from __future__ import annotations

from typing import Final

from engine.core.view.diagrams import pictures_of
from engine.core.view.rulebook import book_of, entries
from protocol.words import words_of

BOOK: Final = book_of(__package__)
PICTURES: Final = pictures_of(__package__)
ARMY_LISTS: Final = words_of(__package__, "army_lists", "book")
"""Words of army lists, weapons and special rules: those that a list as a file may need."""
ENGLISH: Final = {
    **ARMY_LISTS,
    **words_of(__package__, "play", "commentary", "sounds", "lessons", "help"),
    **entries("one_page", BOOK, PICTURES),
}
