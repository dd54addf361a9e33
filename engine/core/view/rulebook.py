"""Rulebooks as catalogue entries, which tell clients the paragraph of every rule and choice.

`book.SYSTEM`: ids of its sections in order, with commas between; `book.SYSTEM.ID`: title and number of paragraphs, with
a bar between; `book.SYSTEM.ID.N`: a paragraph, counted from 1; `book.SYSTEM.ID.picture` and `.caption`: a diagram
(protocol/scene/diagrams.py) and what it shows, where the section has one. `book.SYSTEM.rule/ID` and
`book.SYSTEM.choice/ID` name the paragraph of a rule or a choice as SECTION.N.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from protocol.scene.diagrams import Diagram, packed
from protocol.words import read_toml


class Paragraph(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some sentences, with the ledger's ids of the rules that they tell."""

    words: str
    tells: tuple[str, ...] = ()


class BookSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of a rulebook. `choices`: ids of the choices that it helps with (the part before a "/"); `picture`:
    name and caption."""

    id: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    choices: tuple[str, ...] = ()
    picture: tuple[str, str] = ("", "")


class BookText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole rulebook. `choices`: those that are told by another paragraph than the first of their section, as
    SECTION.N."""

    sections: tuple[BookSection, ...]
    choices: dict[str, str] = {}


def book_of(package: str) -> BookText:
    """Return the rulebook that rulebook.toml of a package holds. Raises msgspec.ValidationError."""
    return msgspec.convert(read_toml(package, "rulebook"), BookText)


def entries(system: str, text: BookText, pictures: Mapping[str, Diagram]) -> dict[str, str]:
    """Make the catalogue entries of a book."""
    book = f"book.{system}"
    return {
        **dict(_sections(book, text.sections, pictures)),
        **_rules(book, text.sections),
        **{f"{book}.choice/{choice}": place for choice, place in text.choices.items()},
    }


def _sections(book: str, sections: Sequence[BookSection], pictures: Mapping[str, Diagram]) -> Iterator[tuple[str, str]]:
    yield book, ",".join(section.id for section in sections)
    for section in sections:
        yield f"{book}.{section.id}", f"{section.title}|{len(section.paragraphs)}"
        name, caption = section.picture
        if name:
            yield f"{book}.{section.id}.picture", packed(pictures[name])
            yield f"{book}.{section.id}.caption", caption
        for choice in section.choices:
            yield f"{book}.choice/{choice}", f"{section.id}.1"
        for number, paragraph in enumerate(section.paragraphs, 1):
            yield f"{book}.{section.id}.{number}", paragraph.words


def _rules(book: str, sections: Sequence[BookSection]) -> dict[str, str]:
    """Find the paragraph of each rule: the first that names it first of its rules, else the first that names it at
    all."""
    found: dict[str, str] = {}
    places = [(f"{s.id}.{n}", paragraph) for s in sections for n, paragraph in enumerate(s.paragraphs, 1)]
    for first in (True, False):
        for place, paragraph in places:
            for rule in paragraph.tells[: 1 if first else None]:
                found.setdefault(f"{book}.rule/{rule}", place)
    return found
