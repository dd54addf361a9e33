"""Numbers and names that a person types to pick from a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from client.text.phrases import phrase

T = TypeVar("T")
_BETWEEN = re.compile(r"[,;\s]+")


class BadAnswer(ValueError):
    """Words that answer nothing; the message says what would."""


def may_be_words(line: str) -> bool:
    """Tell if a line can be the answer to a question for any words: each can but the command that ends the program."""
    return line.strip().lower() != phrase("plain.command.quit")


def picked(words: str, things: Sequence[T], find: Callable[[str], T | None]) -> list[T]:
    """Return the things that are meant, by their number from 1 or by name, in the order typed. `find` knows names.
    Raises BadAnswer."""
    whole = find(words)
    if whole is not None:
        return [whole]
    found = [_one(word, things, find) for word in _BETWEEN.split(words.strip()) if word]
    return [thing for place, thing in enumerate(found) if thing not in found[:place]]


def _one(word: str, things: Sequence[T], find: Callable[[str], T | None]) -> T:
    if word.isdecimal():
        return things[numbered(word, len(things)) - 1]
    found = find(word)
    if found is None:
        raise BadAnswer(phrase("plain.answer.unknown", words=word))
    return found


def numbered(word: str, most: int) -> int:
    """Return the number from 1 to `most` that a word is. Raises BadAnswer."""
    number = int(word) if word.isdecimal() and len(word) < 6 else 0
    if not 1 <= number <= most:
        raise BadAnswer(phrase("plain.answer.none", words=word, most=most))
    return number
