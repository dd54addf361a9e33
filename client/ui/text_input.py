"""One line of editable text with a caret. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

DOT: Final = "•"


@dataclass(eq=False)
class TextInput:
    """`most` characters at most; `enter` is called on Enter, `changed` after each change. What is typed into one that
    is `hidden` is not shown."""

    text: str = ""
    most: int = 64
    enter: Callable[[], object] | None = None
    changed: Callable[[], object] | None = None
    caret: int = -1
    hidden: bool = False

    def __post_init__(self) -> None:
        if self.caret < 0:
            self.caret = len(self.text)

    def set(self, text: str) -> None:
        """Replace the whole text, without telling `changed`."""
        self.text = text[: self.most]
        self.caret = len(self.text)

    def type(self, text: str) -> None:
        """Put in typed or pasted text at the caret; what cannot be printed is left out, what is too long cut off."""
        fresh = "".join(c for c in text if c.isprintable())[: self.most - len(self.text)]
        if fresh:
            self.text = self.text[: self.caret] + fresh + self.text[self.caret :]
            self.caret += len(fresh)
            self._tell()

    def rub_out(self, *, forwards: bool = False) -> None:
        """Backspace, or Delete where `forwards`."""
        at = self.caret if forwards else self.caret - 1
        if 0 <= at < len(self.text):
            self.text = self.text[:at] + self.text[at + 1 :]
            self.caret = at
            self._tell()

    def go(self, place: int) -> None:
        """Move the caret; places outside the text are its ends."""
        self.caret = min(max(place, 0), len(self.text))

    def window(self, width: Callable[[str], float], room: int) -> tuple[str, float]:
        """The part of the text that fits in `room` pixels with the caret in it, and the caret's place in pixels."""
        text = DOT * len(self.text) if self.hidden else self.text
        first = 0
        while first < self.caret and width(text[first : self.caret]) > room:
            first += 1
        shown = text[first:]
        while shown and width(shown) > room:
            shown = shown[:-1]
        return shown, width(text[first : self.caret])

    def _tell(self) -> None:
        if self.changed is not None:
            self.changed()
