"""Explanations of the words of a game, as its catalogue has them: `help.KEY` for the word under KEY, and
`help.KEY.rule` for the rule that the rulebook tells more of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from client.text.texts import Texts
from protocol.text import Text

DEEPEST: Final = 4
"""Texts inside one another whose words are explained."""


class WordHelp(NamedTuple):
    """Explanation of a word, and the id of its rule ("": none is named)."""

    words: str
    rule: str = ""


def help_on(texts: Texts, key: str, numbers: Mapping[str, int] | None = None) -> WordHelp | None:
    """Return the explanation of the word under a key, None where there is none. `numbers` fill in its blanks."""
    entry = f"help.{key}"
    if entry not in texts.entries:
        return None
    words = texts.say(Text(entry, {**(numbers or {})}))
    return WordHelp(words, texts.entries.get(f"{entry}.rule", ""))


def helps_in(texts: Texts, text: Text | None, depth: int = 0) -> Iterator[tuple[str, WordHelp]]:
    """Yield the name and explanation of each word in a text, its own first."""
    if text is None or depth > DEEPEST:
        return
    found = help_on(texts, text.k, {name: value for name, value in text.a.items() if isinstance(value, int)})
    if found is not None:
        yield texts.say(text), found
    for part in text.a.values():
        if isinstance(part, Text):
            yield from helps_in(texts, part, depth + 1)
