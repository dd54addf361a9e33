"""A system's rulebook as its catalogue brings it: sections of paragraphs, and the paragraph for a rule or a choice.

The entries are named after the system: `book.SYSTEM` lists the ids of the sections, `book.SYSTEM.ID` gives a title and
a number of paragraphs, `book.SYSTEM.ID.N` the paragraphs; `book.SYSTEM.rule/ID` and `book.SYSTEM.choice/ID` say
SECTION.N. Entries that are missing or malformed are left out. Needs no window.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from client.text.texts import clean
from protocol.scene.diagrams import Diagram, unpacked

MOST_SECTIONS = 60
MOST_PARAGRAPHS = 40


class ParagraphRef(NamedTuple):
    """Reference to a paragraph, counted from 1; 0 is the section's title."""

    section: str
    paragraph: int = 0


_picture = lru_cache(maxsize=64)(unpacked)
"""Unpacked picture, cached: the page is described anew with each move of the mouse."""


class RulebookSection(NamedTuple):
    """Section of a rulebook, its words ready to be drawn."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    picture: Diagram | None = None
    caption: str = ""


class Rulebook:
    """Rulebook of one system; empty where the system has none."""

    def __init__(self, entries: Mapping[str, str], system: str) -> None:
        self._entries, self._prefix = entries, f"book.{system}"
        ids = [id for id in entries.get(self._prefix, "").split(",") if id][:MOST_SECTIONS]
        self.sections = tuple(self._section(id) for id in ids)

    def _section(self, id: str) -> RulebookSection:
        title, _, count = self._entries.get(f"{self._prefix}.{id}", id).rpartition("|")
        most = min(int(count), MOST_PARAGRAPHS) if count.isdecimal() and len(count) < 4 else 0
        found = [self._entries.get(f"{self._prefix}.{id}.{number}", "") for number in range(1, most + 1)]
        picture = _picture(self._entries.get(f"{self._prefix}.{id}.picture", ""))
        caption = clean(self._entries.get(f"{self._prefix}.{id}.caption", ""))[:400]
        return RulebookSection(
            id, clean(title or id), tuple(clean(words) for words in found if words), picture, caption
        )

    def of_rule(self, rule: str) -> ParagraphRef | None:
        """Return the paragraph that explains a rule."""
        return self._place(f"rule/{rule}")

    def of_choice(self, choice: str) -> ParagraphRef | None:
        """Return the paragraph that explains a choice; the part of its id after a "/" may be unknown."""
        return self._place(f"choice/{choice}") or self._place(f"choice/{choice.partition('/')[0]}")

    def _place(self, key: str) -> ParagraphRef | None:
        section, _, number = self._entries.get(f"{self._prefix}.{key}", "").rpartition(".")
        known = next((found for found in self.sections if found.id == section), None)
        if known is None or not number.isdecimal() or not 1 <= int(number[:4]) <= len(known.paragraphs):
            return None
        return ParagraphRef(section, int(number[:4]))
