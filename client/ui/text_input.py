"""Line of editable text with a caret and a selection. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

DOT: Final = "•"
Width = Callable[[str], float]
"""Function from text to its width in pixels."""


@dataclass(eq=False)
class TextInput:
    """Text field of at most `most` characters; a `hidden` one shows dots.

    `enter` is called on Enter, `changed` after each change. The text between `anchor` and `caret` is selected.
    """

    text: str = ""
    most: int = 64
    enter: Callable[[], object] | None = None
    changed: Callable[[], object] | None = None
    caret: int = -1
    hidden: bool = False
    anchor: int = -1
    first: int = 0
    """Number of the first character in sight, as it was last drawn."""

    def __post_init__(self) -> None:
        if self.caret < 0:
            self.caret = len(self.text)
        self.anchor = self.caret

    def set(self, text: str) -> None:
        """Replace the whole text, without calling `changed`."""
        self.text = text[: self.most]
        self.caret = self.anchor = len(self.text)

    def type(self, text: str) -> None:
        """Put typed or pasted text in the place of the selection; unprintable characters are left out, and what is too
        long is cut off."""
        start, end = self.selection
        fresh = "".join(c for c in text if c.isprintable())[: self.most - len(self.text) + end - start]
        if fresh:
            self._replace(start, end, fresh)

    def rub_out(self, *, forwards: bool = False, word: bool = False) -> None:
        """Delete the selection; without one the character before the caret, or the one after it where `forwards`; with
        `word` all up to the end of the word."""
        start, end = self.selection
        if start == end:
            beyond = self.word(forwards=forwards) if word else self.caret + (1 if forwards else -1)
            start, end = sorted((self.caret, min(max(beyond, 0), len(self.text))))
        if start < end:
            self._replace(start, end, "")

    def go(self, place: int, *, select: bool = False) -> None:
        """Move the caret; places outside the text are its ends. With `select` the text up to there is selected."""
        self.caret = min(max(place, 0), len(self.text))
        if not select:
            self.anchor = self.caret

    def step(self, by: int) -> None:
        """Move the caret by one character; from a selection to its end on that side."""
        start, end = self.selection
        self.go(self.caret + by if start == end else end if by > 0 else start)

    def word(self, *, forwards: bool) -> int:
        """Return where the next word begins, or the present or previous one. Hidden text is one word."""
        if self.hidden:
            return len(self.text) if forwards else 0
        at = self.caret
        if forwards:
            while at < len(self.text) and not self.text[at].isspace():
                at += 1
            while at < len(self.text) and self.text[at].isspace():
                at += 1
            return at
        while at > 0 and self.text[at - 1].isspace():
            at -= 1
        while at > 0 and not self.text[at - 1].isspace():
            at -= 1
        return at

    def select_all(self) -> None:
        """Select the whole text."""
        self.anchor, self.caret = 0, len(self.text)

    @property
    def selection(self) -> tuple[int, int]:
        """Beginning and end of the selected text; the caret twice where none is."""
        anchor = min(max(self.anchor, 0), len(self.text))
        return min(anchor, self.caret), max(anchor, self.caret)

    @property
    def selected(self) -> str:
        """The selected text; "" of a hidden one, which must not come to the clipboard."""
        start, end = self.selection
        return "" if self.hidden else self.text[start:end]

    def window(self, width: Width, room: int) -> tuple[str, float]:
        """Return the part of the text that fits in `room` pixels with the caret in it, and the caret's place in
        pixels."""
        text = self._drawn
        self.first = 0
        while self.first < self.caret and width(text[self.first : self.caret]) > room:
            self.first += 1
        shown = text[self.first :]
        while shown and width(shown) > room:
            shown = shown[:-1]
        return shown, width(text[self.first : self.caret])

    def selected_span(self, width: Width, room: int) -> tuple[float, float]:
        """Return where the selection begins and ends in pixels, as far as it is in sight."""
        start, end = self.selection
        left, right = (width(self._drawn[self.first : max(place, self.first)]) for place in (start, end))
        return min(left, room), min(right, room)

    def place_at(self, x: float, width: Width) -> int:
        """Return the place between two characters that is nearest to `x` pixels from the left."""
        places = range(self.first, len(self.text) + 1)
        return min(places, key=lambda place: abs(width(self._drawn[self.first : place]) - x), default=self.first)

    @property
    def _drawn(self) -> str:
        return DOT * len(self.text) if self.hidden else self.text

    def _replace(self, start: int, end: int, fresh: str) -> None:
        self.text = self.text[:start] + fresh + self.text[end:]
        self.caret = self.anchor = start + len(fresh)
        if self.changed is not None:
            self.changed()
