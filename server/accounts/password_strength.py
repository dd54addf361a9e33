"""Strength of passwords by zxcvbn (Wheeler, 2016): guesses that one takes, and the reason why a weak one is weak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any, Final

LEAST_SCORE: Final = 3
"""Score of zxcvbn (0 to 4) that a password needs: 10**8 guesses, which lasts where a slow hash has been stolen."""
WEIGHED: Final = 64
"""Characters that are looked at: the time it takes rises with their square."""
WEAK: Final = "weak"
"""Reason of a password that has no part which is weaker than others."""
_DICTIONARIES: Final[Mapping[str, str]] = {
    "user_inputs": "name",
    "passwords": "common",
    "english_wikipedia": "word",
    "us_tv_and_film": "word",
    "surnames": "word",
    "male_names": "word",
    "female_names": "word",
}
_PATTERNS: Final[Mapping[str, str]] = {
    "spatial": "keys",
    "repeat": "repeat",
    "sequence": "sequence",
    "regex": "date",
    "date": "date",
}
_weighing: Final = Lock()
"""zxcvbn keeps the words of the person whose password it weighs in a table of the process."""


def weakness(password: str, own_words: Iterable[str]) -> str:
    """Return the reason why a password is easy to guess: the end of the code of a refusal; empty for a good one.

    `own_words`: what is known of the person. Takes 2 ms, up to a second for 64 characters that all may stand for
    letters.
    """
    # its lists of words take a tenth of a server's start to load
    from zxcvbn import zxcvbn

    with _weighing:
        weighed = zxcvbn(password[:WEIGHED], [word for word in own_words if word])
    if weighed["score"] >= LEAST_SCORE:
        return ""
    return _reason(max(weighed["sequence"], key=lambda match: len(match["token"]), default={}))


def _reason(match: Mapping[str, Any]) -> str:
    """Return the reason that a part of a password gives, as zxcvbn found it."""
    pattern = match.get("pattern", "")
    if pattern == "dictionary":
        return _DICTIONARIES.get(match["dictionary_name"], WEAK)
    return _PATTERNS.get(pattern, WEAK)
