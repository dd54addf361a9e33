"""Line of editable text with a caret. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

DOT: Final = "•"


@dataclass(eq=False)
class TextInput:
    """Text field of at most `most` characters; a `hidden` one shows dots.

    `enter` is called on Enter, `changed` after each change.
    """

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
        """Replace the whole text, without calling `changed`."""
        self.text = text[: self.most]
        self.caret = len(self.text)

    def type(self, text: str) -> None:
        """Insert typed or pasted text at the caret; unprintable characters are left out, and what is too long is cut
        off."""
        fresh = "".join(c for c in text if c.isprintable())[: self.most - len(self.text)]
        if fresh:
            self.text = self.text[: self.caret] + fresh + self.text[self.caret :]
            self.caret += len(fresh)
            self._tell()

    def rub_out(self, *, forwards: bool = False) -> None:
        """Delete the character before the caret, or the one after it where `forwards`."""
        at = self.caret if forwards else self.caret - 1
        if 0 <= at < len(self.text):
            self.text = self.text[:at] + self.text[at + 1 :]
            self.caret = at
            self._tell()

    def go(self, place: int) -> None:
        """Move the caret; places outside the text are its ends."""
        self.caret = min(max(place, 0), len(self.text))

    def window(self, width: Callable[[str], float], room: int) -> tuple[str, float]:
        """Return the part of the text that fits in `room` pixels with the caret in it, and the caret's place in
        pixels."""
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
