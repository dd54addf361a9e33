"""English catalogue: all words of the system by key, and the rulebook (engine/core/view/rulebook.py)."""

from __future__ import annotations

from typing import Final

from engine.core.view.diagrams import pictures_of
from engine.core.view.rulebook import book_of, entries
from protocol.words import words_of

BOOK: Final = book_of(__package__)
PICTURES: Final = pictures_of(__package__)
ARMY_LISTS: Final = words_of(__package__, "army_lists", "content")
"""Words of army lists, of weapons, men, vehicles and cards: those that a list as a file may need."""
ENGLISH: Final = {
    **ARMY_LISTS,
    **words_of(__package__, "play", "tables", "vehicles", "support", "powers", "captives", "sounds", "lessons", "help"),
    **entries("apocalypse_earth", BOOK, PICTURES),
}
