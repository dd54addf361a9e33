"""Questions that the program itself asks: one of several by number, words, yes or no. Enter takes the default."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from client.plain.talk.answers import BadAnswer, may_be_words, numbered
from client.text.phrases import phrase


class OpenQuestion(Protocol):
    """Question that is open. `is_ready`: it can be asked, since all that it needs has come; `lines` ask it; `take`
    takes an answer and returns True if that closes it (raises BadAnswer); `drop` goes away from it without an answer.
    `claims`: a line answers it, be it that of a command."""

    def claims(self, line: str) -> bool: ...

    def is_ready(self) -> bool: ...

    def lines(self) -> Iterator[str]: ...

    def take(self, words: str) -> bool: ...

    def drop(self) -> None: ...


class _AskedAtOnce:
    """Question that can be asked at once, is answered by no line that a command has, and may be dropped."""

    def is_ready(self) -> bool:
        """Return True."""
        return True

    def claims(self, line: str) -> bool:
        """Return False."""
        return False

    def drop(self) -> None:
        """Do nothing."""


class OneOf(_AskedAtOnce):
    """Question for one of several by number. `default`: the place of what Enter takes, -1 for nothing; `act` is called
    with the place of the answer."""

    def __init__(self, title: str, options: Sequence[str], act: Callable[[int], object], default: int = 0) -> None:
        self._title = title
        self._options = options
        self._act = act
        self._default = default if 0 <= default < len(options) else -1

    def lines(self) -> Iterator[str]:
        """Yield the title, the options, and what Enter takes."""
        yield self._title
        for number, option in enumerate(self._options, 1):
            yield phrase("plain.line", number=number, words=option)
        if self._default >= 0:
            yield phrase("plain.field.enter", value=self._options[self._default])

    def take(self, words: str) -> bool:
        """Take a number, or nothing for the default."""
        if not words and self._default >= 0:
            self._act(self._default)
        else:
            self._act(numbered(words, len(self._options)) - 1)
        return True


class InWords(_AskedAtOnce):
    """Question for words. `default`: what Enter takes, "" for nothing; `leave` is called where it is dropped."""

    def __init__(
        self, title: str, act: Callable[[str], object], default: str = "", leave: Callable[[], object] = lambda: None
    ) -> None:
        self._title = title
        self._act = act
        self._default = default
        self._leave = leave

    def claims(self, line: str) -> bool:
        """Return True for all that may be meant as the words."""
        return may_be_words(line)

    def drop(self) -> None:
        """Leave what the words were for."""
        self._leave()

    def lines(self) -> Iterator[str]:
        """Yield the title, and what Enter takes."""
        yield self._title
        if self._default:
            yield phrase("plain.field.enter", value=self._default)

    def take(self, words: str) -> bool:
        """Take what was typed, or the default."""
        if not words and not self._default:
            raise BadAnswer(self._title)
        self._act(words or self._default)
        return True


class YesOrNo(_AskedAtOnce):
    """Question before something that is given up. Only yes does it."""

    def __init__(self, title: str, about: str, act: Callable[[], object]) -> None:
        self._title = title
        self._about = about
        self._act = act

    def claims(self, line: str) -> bool:
        """Return True for yes and no, which are votes elsewhere."""
        return line.partition(" ")[0].lower() in (phrase("yes"), phrase("no"))

    def lines(self) -> Iterator[str]:
        """Yield the question, what it means, and how to answer."""
        yield self._title
        if self._about:
            yield self._about
        yield phrase("plain.yes_or_no", yes=phrase("yes"), no=phrase("no"))

    def take(self, words: str) -> bool:
        """Take yes or no, in full or by the first letter."""
        said = words.lower()
        if said in (phrase("yes"), phrase("yes")[:1]):
            self._act()
        elif said not in (phrase("no"), phrase("no")[:1], ""):
            raise BadAnswer(phrase("plain.yes_or_no", yes=phrase("yes"), no=phrase("no")))
        return True
