"""Shares of the words that are there in each language beside English: `python -m tools.languages` prints the table of
docs/languages.md."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from client.text import fairness_sentences, phrases
from client.text.spoken import LANGUAGES
from client.text.texts import OWN
from engine.core.content.content_schema import paragraphs
from engine.core.view.languages import share_of
from protocol.scene.diagrams import Diagram
from protocol.scene.nodes import Group, Row, SeatNode
from protocol.text_format import format_text
from protocol.words import ENGLISH, words_in
from server.content.systems import SHARED

ROOT: Final = Path(__file__).resolve().parent.parent
WINDOW: Final = "client.text"


SPOKEN_KEYS: Final = ("name", "about", "text", "strong", "weak", "background")
"""Keys of content under which words stand that players read."""
RANK: Final = re.compile(r"\d+ ([^(]+?)(?: \(.*)?")
"""A figure as pages of Apocalypse: Earth write it, such as "2 loader (SMG)"."""
LENGTH: Final = re.compile(r"\d*(″| cm)?")


def systems() -> Iterator[tuple[str, Mapping[str, str], str]]:
    """Yield the title, the English and the package of texts of each rule system in engine/rulesets. What its content
    and the pictures of its rulebook say in plain English is its own key there."""
    for module in sorted((ROOT / "engine" / "rulesets").glob("*/system.py")):
        system = import_module(f"engine.rulesets.{module.parent.name}.system").system
        files = sorted((module.parent / "data").rglob("*.toml"))
        said = [line for file in files for line in _said(tomllib.loads(file.read_text("utf-8")))]
        pictures = import_module(f"engine.rulesets.{module.parent.name}.text.texts").PICTURES
        said += [words for picture in pictures.values() for words in _drawn(picture)]
        english = {**{line: line for line in said}, **system.english}
        yield format_text(system.title, system.english), english, system.texts


def _drawn(picture: Diagram) -> Iterator[str]:
    """Yield the words in a picture of a rulebook, or their keys, without lengths and letters that stand for groups."""
    for node in picture.nodes.values():
        if isinstance(node, Group | SeatNode):
            yield from [node.name.k] if len(node.name.k) > 1 else []
        elif isinstance(node, Row):
            yield from [card.name.k for card in node.cards]
    yield from [arrow.word for arrow in picture.arrows if not LENGTH.fullmatch(arrow.word)]


def _said(content: object, key: str = "") -> Iterator[str]:
    """Yield the words in a part of a content file that players read, or their keys."""
    if isinstance(content, Mapping):
        for inner, value in content.items():
            yield from _said(value, inner)
    elif isinstance(content, list):
        for value in content:
            yield from _said(value, key)
    elif isinstance(content, str) and key in SPOKEN_KEYS:
        yield from paragraphs(content)
    elif isinstance(content, str) and key == "figures" and (rank := RANK.fullmatch(content)):
        yield rank[1]


def window() -> Mapping[str, str]:
    """Return the English of the window and of the game in plain text."""
    tables = (phrases.WORDS, fairness_sentences.WORDS, *OWN)
    return {key: line for words in tables if words.package == WINDOW for key, line in words.english.items()}


def rows() -> Iterator[str]:
    """Yield the rows of the table."""
    others = [language for language in LANGUAGES if language != ENGLISH]
    yield f"| words of | {' | '.join(others)} |"
    yield f"| --- |{' --- |' * len(others)}"
    yield _row("the window and the game in plain text", window(), {code: words_in(code, WINDOW) for code in others})
    server = {key: line for english in SHARED.values() for key, line in english.items()}
    known = {code: {key: line for part in SHARED for key, line in words_in(code, part).items()} for code in others}
    yield _row("the server, for every game", server, known)
    for title, english, package in systems():
        yield _row(title, english, {code: words_in(code, package) if package else {} for code in others})


def _row(name: str, english: Mapping[str, str], known: Mapping[str, Mapping[str, str]]) -> str:
    return f"| {name} | {' | '.join(f'{share_of(english, lines)} %' for lines in known.values())} |"


def main() -> int:
    print("\n".join(rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
