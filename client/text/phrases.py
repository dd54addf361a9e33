"""Words of this program itself, by key. What a server says has catalogues of its own (texts.py): none of them can take
the place of a word here, and no word here that of a game's."""

from __future__ import annotations

from typing import Final

from client.text.own_words import OwnWords
from client.text.spoken import SPOKEN
from protocol.text import Text
from protocol.text_format import format_text

WORDS: Final = OwnWords(
    __package__,
    "lobby",
    "results",
    "host",
    "table",
    "keys",
    "lessons",
    "people",
    "account",
    "order",
    "plain",
    "factions",
)
ENGLISH: Final = WORDS.english


def phrase(key: str, **arguments: str | int) -> str:
    """Return the words of a key, its blanks filled in."""
    return format_text(Text(key, {**arguments}), WORDS.entries, SPOKEN.plural)


def named(group: str, name: str) -> str:
    """Return the words for one of a group of names that come from a server; the name as it is where there are none."""
    return WORDS.entries.get(f"{group}.{name}", name)


def yes_or_no(*, is_so: bool) -> str:
    """Return the word for yes or no."""
    return phrase("yes" if is_so else "no")
