"""Words of this program itself, in the language that it speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.text.spoken import SPOKEN
from protocol.words import ENGLISH, words_in, words_of


class OwnWords:
    """Entries of some catalogues of a package, by name: those of the present language, line by line in English where it
    lacks one. `english`: all of them."""

    def __init__(self, package: str, *names: str) -> None:
        self.package: Final = package
        self.english: Final[Mapping[str, str]] = words_of(package, *names)
        self.spoken: Final[dict[str, Mapping[str, str]]] = {ENGLISH: self.english}
        """Entries by language, of those that have been spoken."""

    @property
    def entries(self) -> Mapping[str, str]:
        """The entries of the present language."""
        language = SPOKEN.language
        if language not in self.spoken:
            self.spoken[language] = {**self.english, **self.lines(language)}
        return self.spoken[language]

    def lines(self, language: str) -> Mapping[str, str]:
        """Return the entries that there are in a language beside English."""
        known = words_in(language, self.package)
        return {key: known[key] for key in self.english if key in known}
