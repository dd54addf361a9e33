"""Texts of a server put into words that can be drawn, by the catalogues that it sends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from client.text.fairness_sentences import ENGLISH as FAIRNESS, PREFIX
from protocol.english import ENGLISH
from protocol.text import Text
from protocol.text_format import format_text
from protocol.wire.from_server import Catalogue
from protocol.words import words_of

OWN: Final = ENGLISH | FAIRNESS | words_of(__package__, "names", "talk", "book", "lists")


def clean(words: str) -> str:
    """Return the words without characters that cannot be drawn: what comes from a server never steers the screen."""
    return "".join(c if c.isprintable() else " " for c in words)


class Texts:
    """Catalogue entries learnt so far, which put texts into words."""

    def __init__(self, catalogues: Iterable[Catalogue] = ()) -> None:
        self.entries: dict[str, str] = dict(OWN)
        self.learnt = 0
        """Number of catalogues that came so far."""
        for catalogue in catalogues:
            self.learn(catalogue.entries)

    def learn(self, entries: Mapping[str, str]) -> None:
        """Take a catalogue's entries; they go before those of the same key, but never before what this program says
        of the host's honesty."""
        self.learnt += 1
        self.entries.update({key: words for key, words in entries.items() if not key.startswith(PREFIX)})

    def say(self, text: Text | None) -> str:
        """Return the words of a text, "" for none."""
        return "" if text is None else clean(format_text(text, self.entries))

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
