"""Pseudo-language: English with accents on its letters and 40 percent longer, to see what has no room for other
languages, and what does not stand in a catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.view.languages import is_words

LONGER: Final = 0.4
ACCENTED: Final = str.maketrans("aceinouyACEINOUY", "àçéîñöûýÀÇÉÎÑÖÛÝ")
FILLING: Final = "éàöûîñ"
WORD: Final = 7
ENDS: Final = ".:?! …"


def pseudo(words: str) -> str:
    """Return words of a catalogue in the pseudo-language; their blanks stay as they are, and the count behind the title
    of a rulebook's section does."""
    head, bar, paragraphs = words.rpartition("|")
    if bar and paragraphs.isdigit():
        return f"{pseudo(head)}|{paragraphs}"
    letters: list[str] = []
    depth = count = 0
    for letter in words:
        depth += (letter == "{") - (letter == "}")
        count += not depth and letter.isalpha()
        letters.append(letter if depth or letter == "}" else letter.translate(ACCENTED))
    accented = "".join(letters)
    filling = "".join(FILLING[number % len(FILLING)] for number in range(round(LONGER * count)))
    pieces = [filling[at : at + WORD] for at in range(0, len(filling), WORD)]
    bare = accented.rstrip(ENDS)
    return f"{bare}{'' if len(filling) < WORD else ' '}{' '.join(pieces)}{accented[len(bare) :]}"


def in_pseudo(entries: Mapping[str, str]) -> dict[str, str]:
    """Return entries of a catalogue in the pseudo-language."""
    return {key: pseudo(words) if is_words(key) else words for key, words in entries.items()}
