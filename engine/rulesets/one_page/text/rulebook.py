"""Rulebook as catalogue entries (engine/core/view/rulebook.py)."""

from __future__ import annotations

from typing import Final

from engine.core.view.rulebook import entries
from engine.core.view.words import book_of
from engine.rulesets.one_page.text.rulebook_pictures import PICTURES

BOOK: Final = book_of(__package__)
ENGLISH: Final[dict[str, str]] = entries("one_page", BOOK, PICTURES)
