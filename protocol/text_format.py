"""Formatting of texts: from a key with arguments and a catalogue to the words that people read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from protocol.text import Text

DEEPEST: Final = 8
LONGEST: Final = 4000

_BLANK: Final = re.compile(r"\{(\w{1,32})(?:\|((?:[^{}|]|\{\w{1,32}\})*)\|((?:[^{}|]|\{\w{1,32}\})*))?\}")
_SIMPLE: Final = re.compile(r"\{(\w{1,32})\}")


def format_text(text: Text, entries: Mapping[str, str]) -> str:
    """Return the words of a text, at most LONGEST characters.

    In an entry, `{name}` is replaced by the argument `name` (a number, words, or a text of its own), and
    `{n|one figure|{n} figures}` by its first form where the number `n` is 1, else by its second. A blank without
    argument stays as it is. Of two full stops at the end one is kept. An unknown key is shown as the key itself.
    Bounded for hostile arguments and entries: beyond DEEPEST texts inside one another the key is shown.
    """
    return _format(text, entries, 0)


def blanks_in(text: Text, entries: Mapping[str, str]) -> set[str]:
    """Return the names of the arguments that the entry of a text takes."""
    entry = entries.get(text.k, "")
    return {name for blank in _BLANK.finditer(entry) for name in (blank[1], *_SIMPLE.findall(blank[0]))}


def _format(text: Text, entries: Mapping[str, str], depth: int) -> str:
    entry = entries.get(text.k)
    if entry is None or depth > DEEPEST:
        return text.k[:LONGEST]
    words = {
        name: _format(value, entries, depth + 1) if isinstance(value, Text) else str(value)[:LONGEST]
        for name, value in text.a.items()
    }

    def simple(blank: re.Match[str]) -> str:
        return words.get(blank[1], blank[0])

    def fill(blank: re.Match[str]) -> str:
        if blank[2] is None:
            return simple(blank)
        return _SIMPLE.sub(simple, blank[2] if words.get(blank[1]) == "1" else blank[3])

    filled = _BLANK.sub(fill, entry[:LONGEST])[:LONGEST]
    # a name like U.N.I.T. brings the full stop along
    return filled[:-1] if filled.endswith("..") and entry.endswith("}.") else filled
