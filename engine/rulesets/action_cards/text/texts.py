"""English catalogue: all words of the system by key, and the rulebook (engine/core/view/rulebook.py)."""

from __future__ import annotations

from typing import Final

from engine.core.view.diagrams import pictures_of
from engine.core.view.rulebook import book_of, entries
from protocol.words import words_of

BOOK: Final = book_of(__package__)
PICTURES: Final = pictures_of(__package__)
ENGLISH: Final[dict[str, str]] = {
    **words_of(__package__, "play", "vehicles", "content", "later_scenarios", "sounds", "lessons", "help"),
    **entries("action_cards", BOOK, PICTURES),
    **words_of(__package__, "events"),
}
