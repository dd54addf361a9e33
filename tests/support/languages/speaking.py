"""The program's language in a test, and back to English after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from client.text.fairness_sentences import WORDS as FAIRNESS
from client.text.phrases import WORDS as PHRASES
from client.text.spoken import SPOKEN
from client.text.texts import OWN
from protocol.words import ENGLISH
from tests.support.languages.pseudo import in_pseudo

PSEUDO: Final = "xx"


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language of the program, or PSEUDO, within the block."""
    if language == PSEUDO:
        for words in (PHRASES, FAIRNESS, *OWN):
            words.spoken[PSEUDO] = in_pseudo(words.english)
        SPOKEN.language = PSEUDO
    else:
        SPOKEN.speak(language)
    try:
        yield
    finally:
        SPOKEN.speak(ENGLISH)
