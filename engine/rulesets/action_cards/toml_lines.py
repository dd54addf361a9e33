"""Where in a TOML text a key stands, so that a problem can name its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_HEADER: Final = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.\-\s]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY: Final = re.compile(r"^\s*([A-Za-z0-9_\-]+(?:\.[A-Za-z0-9_\-]+)*)\s*=")
_SYNTAX: Final = re.compile(r"^(.*?) \(at line (\d+), column \d+\)$")

Loc = tuple[str | int, ...]


def line_of(text: str, loc: Sequence[str | int]) -> int:
    """The line, from 1, of the innermost table or key on the way `loc` that the text names; 1 where it names none.

    `loc` is a way through the parsed document: keys, and the numbers of entries in arrays.
    """
    known = _places(text)
    for length in range(len(loc), 0, -1):
        line = known.get(tuple(loc[:length]))
        if line is not None:
            return line
    return 1


def syntax_problem(message: str) -> tuple[int, str]:
    """Line and reason of what tomllib complains about; the last line where it says "at end of document"."""
    found = _SYNTAX.match(message)
    return (int(found[2]), found[1]) if found else (0, message)


def _places(text: str) -> dict[Loc, int]:
    counts: dict[Loc, int] = {}
    known: dict[Loc, int] = {}
    table: Loc = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        key = _KEY.match(line)
        if header:
            names = [name.strip() for name in header[2].split(".")]
            table = _opened(counts, names, header[1] == "[[")
            known.setdefault(table, number)
        elif key:
            known.setdefault((*table, *key[1].split(".")), number)
    return known


def _opened(counts: dict[Loc, int], names: Sequence[str], array: bool) -> Loc:
    """The way to the table that this header opens: the newest entry of every array on it."""
    loc: Loc = ()
    for place, name in enumerate(names):
        loc = (*loc, name)
        if array and place == len(names) - 1:
            counts[loc] = counts.get(loc, -1) + 1
        if loc in counts:
            loc = (*loc, counts[loc])
    return loc
