"""A line that somebody typed, made safe to show: no control, direction or unassigned characters."""

from __future__ import annotations

import unicodedata
from typing import Final

FORBIDDEN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def clean_line(text: str) -> str:
    """NFKC, without characters of Unicode categories C, Zl and Zp, single spaces."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    normal = unicodedata.normalize("NFKC", text)
    spaced = "".join(" " if c in "\t\n\r" else c for c in normal)
    return " ".join("".join(c for c in spaced if unicodedata.category(c) not in FORBIDDEN).split())
