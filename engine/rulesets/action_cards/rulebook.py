"""The rulebook as catalogue entries, so that clients can show it, and know which paragraph tells a rule or a choice.

`book.action_cards`: ids of its sections in order, with commas between; `book.action_cards.ID`: title and number of
paragraphs, with a bar between; `book.action_cards.ID.N`: a paragraph, counted from 1; `book.action_cards.ID.picture`
and `.caption`: a diagram (protocol/diagrams.py) and what it shows, where the section has one.
`book.action_cards.rule/ID` and `book.action_cards.choice/ID` name the paragraph of a rule or a choice as SECTION.N.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rulesets.action_cards.rulebook_pictures import PICTURES
from engine.rulesets.action_cards.rulebook_text import SECTIONS
from protocol.diagrams import packed

BOOK: Final = "book.action_cards"


def _entries() -> Iterator[tuple[str, str]]:
    yield BOOK, ",".join(section.id for section in SECTIONS)
    for section in SECTIONS:
        yield f"{BOOK}.{section.id}", f"{section.title}|{len(section.paragraphs)}"
        name, caption = section.picture
        if name:
            yield f"{BOOK}.{section.id}.picture", packed(PICTURES[name]())
            yield f"{BOOK}.{section.id}.caption", caption
        for choice in section.choices:
            yield f"{BOOK}.choice/{choice}", f"{section.id}.1"
        for number, paragraph in enumerate(section.paragraphs, 1):
            yield f"{BOOK}.{section.id}.{number}", paragraph.words


def _rules() -> dict[str, str]:
    """A rule is told by the paragraph that names it first of its rules, else by the first that names it at all."""
    found: dict[str, str] = {}
    places = [(f"{s.id}.{n}", paragraph) for s in SECTIONS for n, paragraph in enumerate(s.paragraphs, 1)]
    for first in (True, False):
        for place, paragraph in places:
            for rule in paragraph.rules[: 1 if first else None]:
                found.setdefault(f"{BOOK}.rule/{rule}", place)
    return found


CHOICES: Final = {
    "linked": "shoot.4",
    "take_off": "vehicles.2",
    "fly": "vehicles.2",
    "land": "vehicles.2",
    "embark": "vehicles.3",
    "disembark": "vehicles.3",
    "end": "cards.3",
    "hunt": "events.2",
    "propose": "special.2",
}
"""Choices that another paragraph than the first of their section tells of."""

ENGLISH: Final[dict[str, str]] = {
    **dict(_entries()),
    **_rules(),
    **{f"{BOOK}.choice/{choice}": place for choice, place in CHOICES.items()},
}
