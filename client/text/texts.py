"""Texts of a server put into words that can be drawn, by the catalogues that it sends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from client.text.fairness_sentences import PREFIX, WORDS as FAIRNESS
from client.text.own_words import OwnWords
from client.text.spoken import SPOKEN
from protocol.text import Text
from protocol.text_format import format_text
from protocol.wire.from_server import Catalogue
from protocol.words import ENGLISH

OWN: Final = (OwnWords("protocol", "english"), FAIRNESS, OwnWords(__package__, "names", "talk", "book", "lists"))
"""What this program says in texts before any catalogue has come."""


def clean(words: str) -> str:
    """Return the words without characters that cannot be drawn: what comes from a server never steers the screen."""
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() else " " for c in words)


class Texts:
    """Catalogue entries learnt so far, which put texts into words of the language that the program speaks: what has
    been learnt in it goes before what has been learnt in English."""

    def __init__(self, catalogues: Iterable[Catalogue] = ()) -> None:
        self._learnt: dict[str, dict[str, str]] = {}
        self._merged: dict[str, str] = {}
        self._merged_in = ""
        self.learnt = 0
        """Rises with each catalogue that comes, and with each change of the language."""
        for catalogue in catalogues:
            self.learn(catalogue.entries, catalogue.language)

    @property
    def entries(self) -> Mapping[str, str]:
        """All entries of the present language."""
        if self._merged_in != SPOKEN.language:
            self._merge()
        return self._merged

    def learn(self, entries: Mapping[str, str], language: str = ENGLISH) -> None:
        """Take a catalogue's entries; they go before those of the same key, but never before what this program says
        of the host's honesty."""
        fresh = {key: words for key, words in entries.items() if not key.startswith(PREFIX)}
        self._learnt.setdefault(language, {}).update(fresh)
        self._merge()

    def say(self, text: Text | None) -> str:
        """Return the words of a text, "" for none."""
        return "" if text is None else clean(format_text(text, self.entries, SPOKEN.plural))

    def _merge(self) -> None:
        self.learnt += 1
        self._merged_in = SPOKEN.language
        own = (words.entries for words in OWN)
        learnt = (self._learnt.get(language, {}) for language in dict.fromkeys((ENGLISH, SPOKEN.language)))
        self._merged = {key: words for part in (*own, *learnt) for key, words in part.items()}

    def named(self, key: str, otherwise: str) -> str:
        """Return the words under this key where a catalogue has it, else `otherwise`."""
        return self.say(Text(key)) if key in self.entries else clean(otherwise)

    def state(self, name: str) -> str:
        """Return the name of a state: by its system's catalogue under status.NAME, or else as it is."""
        return self.named(f"status.{name}", name.replace("_", " "))

    def short_state(self, name: str) -> str:
        """Return the name of a state where there is little room: under short.NAME, if the catalogue has that."""
        return self.named(f"short.{name}", self.state(name))

    def bot(self, kind: str) -> str:
        """Return the name of a kind of bot: by its system's catalogue, or else as it is."""
        return self.named(f"bot.{kind}", kind)
