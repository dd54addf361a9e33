"""Lines of text in one batch, set when they are drawn; a line of an earlier frame is moved or shown again rather than
made anew, which is slow."""

from __future__ import annotations

from io import BytesIO
from itertools import product
from typing import Final, Literal, NamedTuple

import pyglet.font
from pyglet.font.base import Font
from pyglet.graphics import Batch
from pyglet.text import Label

from client.art.fonts import FAMILY, NARROW_FAMILY, font_file
from client.ui.spare_fonts import spare_font
from client.ui.theme import Colour

Anchor = Literal["left", "center", "right"]
MOST_ASIDE: Final = 400
"""Lines that are kept out of sight for later frames: a page that was closed is opened again, the mouse leaves a button
that it had lit."""


class Key(NamedTuple):
    """Line of text with all that decides its look; lines of one key differ in their place alone."""

    text: str
    size: int
    bold: bool
    narrow: bool
    colour: Colour
    anchor: Anchor


Line = tuple[Key, int, int]
"""Line of text with its place."""


class Lettering:
    """Text of one layer: after `begin` every visible line is put down again."""

    def __init__(self) -> None:
        self.batch = Batch()
        self.previous: dict[Key, list[Label]] = {}
        self.current: dict[Key, list[Label]] = {}
        self.aside: dict[Key, list[Label]] = {}
        """Lines out of sight, those that were last seen longest ago first."""
        self.lines: list[Line] = []
        """Lines of this frame with their places."""
        self.lines_before = self.lines
        self.lines_set: list[Line] = []

    def begin(self) -> None:
        self.lines, self.lines_before = [], self.lines

    def has_changed(self) -> bool:
        """Return True if the lines are others, or elsewhere, than before the last `begin`."""
        return self.lines != self.lines_before

    def put(self, key: Key, x: float, y: float) -> None:
        """Put down one line, its middle height at `y`."""
        self.lines.append((key, round(x), round(y)))

    def draw(self) -> None:
        """Draw all lines into the active framebuffer."""
        if self.lines != self.lines_set:
            self._set()
        self.batch.draw()

    def _set(self) -> None:
        """Make the batch show the lines of this frame."""
        self.previous, self.current = self.current, {}
        for key, x, y in self.lines:
            label = self._former(key)
            if label is None:
                label = self._label(key, x, y)
            elif label.position != (x, y, 0):
                label.position = (x, y, 0)
            self.current.setdefault(key, []).append(label)
        self._put_aside()
        self.lines_set = self.lines

    def _former(self, key: Key) -> Label | None:
        """Return a line of an earlier frame that is not put down yet in this one, None where there is none."""
        labels = self.previous.get(key)
        if labels:
            return labels.pop()
        labels = self.aside.get(key)
        if not labels:
            return None
        label = labels.pop()
        if not labels:
            del self.aside[key]
        label.visible = True
        return label

    def _label(self, key: Key, x: int, y: int) -> Label:
        family, weight = NARROW_FAMILY if key.narrow else FAMILY, "bold" if key.bold else "normal"
        font = pyglet.font.load(family, key.size * 0.75, weight)
        if not key.text.isascii():
            _lend(font, key, weight)
        return Label(
            key.text,
            font_name=family,
            font_size=key.size * 0.75,
            weight=weight,
            color=key.colour,
            x=x,
            y=y,
            anchor_x=key.anchor,
            anchor_y="center",
            batch=self.batch,
        )

    def _put_aside(self) -> None:
        """Take the lines that are gone out of sight, and forget those that have been for longest."""
        for key, labels in self.previous.items():
            if labels:
                for label in labels:
                    label.visible = False
                self.aside[key] = [*self.aside.pop(key, ()), *labels]
        self.previous = {}
        over = sum(map(len, self.aside.values())) - MOST_ASIDE
        while over > 0:
            labels = self.aside.pop(next(iter(self.aside)))
            for label in labels:
                label.delete()
            over -= len(labels)


def _lend(font: Font, key: Key, weight: str) -> None:
    """Give a font those that have the letters of a line which it lacks."""
    found = {spare_font(letter, bold=key.bold, narrow=key.narrow) for letter in key.text}
    for spare in filter(None, found):
        lent = pyglet.font.load(spare.family, key.size * 0.75, weight)
        if lent not in font.fallbacks:
            font.add_fallback(lent)


def load_fonts() -> None:
    """Load the client's fonts, which come with it; call once before the first text."""
    for bold, narrow in product((False, True), repeat=2):
        pyglet.font.add_file(BytesIO(font_file(bold=bold, narrow=narrow).read_bytes()))
