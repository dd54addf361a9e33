"""Cleaning of typed lines: no control, direction, unassigned or invisible characters."""

from __future__ import annotations

import unicodedata
from typing import Final

FORBIDDEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
MARKS: Final = {"Mn", "Mc", "Me"}
MOST_MARKS: Final = 3
"""Combining marks on one letter: real words have no more, and towers of them cover the lines above and below."""
INVISIBLE: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810)))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Letters, marks and symbols that are drawn as nothing: Default_Ignorable_Code_Point without category C, and the empty
pattern of Braille."""


def clean_line(text: str) -> str:
    """Return a line in NFKC, without invisible characters and those of Unicode categories C, Zl and Zp, with at most
    `MOST_MARKS` combining marks on a letter and single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    normal = unicodedata.normalize("NFKC", text)
    spaced = "".join(" " if c in "\t\n\r" else c for c in normal)
    shown = "".join(c for c in spaced if c not in INVISIBLE and unicodedata.category(c) not in FORBIDDEN)
    # what was taken out may have kept apart what is now one character
    return " ".join(_with_few_marks(unicodedata.normalize("NFKC", shown)).split())


def _with_few_marks(text: str) -> str:
    """Return the text without the marks that are too many, counted as they are when letters stand apart from theirs."""
    kept: list[str] = []
    marks = 0
    for c in text:
        own = sum(unicodedata.category(part) in MARKS for part in unicodedata.normalize("NFD", c))
        is_mark = unicodedata.category(c) in MARKS
        marks = marks + own if is_mark else own
        if not is_mark or marks <= MOST_MARKS:
            kept.append(c)
    return "".join(kept)
