"""Formatting of texts: from a key with arguments and a catalogue to the words that people read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from protocol.text import Text

DEEPEST: Final = 8
LONGEST: Final = 4000

PLURALS: Final = ("one", "few", "many", "other")
"""Names of the forms that a number may choose; what a language has besides takes the last."""

Plural = Callable[[int], str]
"""Name of the form that a number takes in a language, as CLDR has it."""

_FORM: Final = r"(?:[^{}|]|\{\w{1,32}\})*"
_BLANK: Final = re.compile(rf"\{{(\w{{1,32}})((?:\|{_FORM}){{2,{len(PLURALS)}}})?\}}")
_SIMPLE: Final = re.compile(r"\{(\w{1,32})\}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")


def one_or_other(number: int) -> str:
    """Return the form that a number takes in English, German and many others."""
    return "one" if number == 1 else "other"


def format_text(text: Text, entries: Mapping[str, str], plural: Plural = one_or_other) -> str:
    """Return the words of a text, at most LONGEST characters.

    In an entry, `{name}` is replaced by the argument `name` (a number, words, or a text of its own), and
    `{n|one figure|{n} figures}` by its first form where the number `n` is 1, else by its second. Forms may have the
    names of PLURALS: `{n|one=one figure|few=...|many=...|other={n} figures}` is replaced by the form that `plural`
    names for `n`, by `other` where it has none of that name. A blank without argument, or with other forms, stays as it
    is. Of two full stops at the end one is kept. An unknown key is shown as the key itself. Bounded for hostile
    arguments and entries: beyond DEEPEST texts inside one another the key is shown.
    """
    return _format(text, entries, plural, 0)


def blanks_in(text: Text, entries: Mapping[str, str]) -> set[str]:
    """Return the names of the arguments that the entry of a text takes."""
    entry = entries.get(text.k, "")
    return {name for blank in _BLANK.finditer(entry) for name in (blank[1], *_SIMPLE.findall(blank[0]))}


def _format(text: Text, entries: Mapping[str, str], plural: Plural, depth: int) -> str:
    entry = entries.get(text.k)
    if entry is None or depth > DEEPEST:
        return text.k[:LONGEST]
    words = {
        name: _format(value, entries, plural, depth + 1) if isinstance(value, Text) else str(value)[:LONGEST]
        for name, value in text.a.items()
    }

    def simple(blank: re.Match[str]) -> str:
        return words.get(blank[1], blank[0])

    def fill(blank: re.Match[str]) -> str:
        if blank[2] is None:
            return simple(blank)
        form = _form(blank[2][1:].split("|"), words.get(blank[1], ""), plural)
        return blank[0] if form is None else _SIMPLE.sub(simple, form)

    filled = (_BLANK.sub(fill, entry[:LONGEST]) if "{" in entry else entry)[:LONGEST]
    # a name like U.N.I.T. brings the full stop along
    return filled[:-1] if filled.endswith("..") and entry.endswith("}.") else filled


def _form(forms: Sequence[str], number: str, plural: Plural) -> str | None:
    """Return the form that a number takes; None where the forms are neither two without names nor named, with one for
    all else."""
    pairs = [form.partition("=") for form in forms]
    named = {name: words for name, _, words in pairs if name in PLURALS}
    if len(named) == len(forms) and "other" in named:
        is_number = _NUMBER.fullmatch(number) is not None
        return named.get(plural(int(number)), named["other"]) if is_number else named["other"]
    return forms[number != "1"] if len(forms) == 2 else None
