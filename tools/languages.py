"""Shares of the words that are there in each language beside English: `python -m tools.languages` prints the table of
docs/languages.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from client.text import fairness_sentences, phrases
from client.text.spoken import LANGUAGES
from client.text.texts import OWN
from engine.core.view.languages import share_of
from protocol.text_format import format_text
from protocol.words import ENGLISH, words_in
from server.content.systems import SHARED

ROOT: Final = Path(__file__).resolve().parent.parent
WINDOW: Final = "client.text"
PLAIN: Final = "plain."
"""Beginning of the keys of the text mode, which speaks English alone."""


def systems() -> Iterator[tuple[str, Mapping[str, str], str]]:
    """Yield the title, the English and the package of texts of each rule system in engine/rulesets."""
    for folder in sorted((ROOT / "engine" / "rulesets").glob("*/system.py")):
        system = import_module(f"engine.rulesets.{folder.parent.name}.system").system
        yield format_text(system.title, system.english), system.english, system.texts


def window() -> Mapping[str, str]:
    """Return the English of the window, without that of the text mode."""
    tables = (phrases.WORDS, fairness_sentences.WORDS, *OWN)
    return {
        key: line
        for words in tables
        if words.package == WINDOW
        for key, line in words.english.items()
        if not key.startswith(PLAIN)
    }


def rows() -> Iterator[str]:
    """Yield the rows of the table."""
    others = [language for language in LANGUAGES if language != ENGLISH]
    yield f"| words of | {' | '.join(others)} |"
    yield f"| --- |{' --- |' * len(others)}"
    yield _row("the window, with its help", window(), {code: words_in(code, WINDOW) for code in others})
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
