"""Lines of text in one batch; a line of the last frame is moved rather than made again, which is slow."""

from __future__ import annotations

from io import BytesIO
from typing import Literal

import pyglet.font
from pyglet.graphics import Batch
from pyglet.text import Label

from client.ui.measure import font_file
from client.ui.theme import FONT, Colour

Anchor = Literal["left", "center", "right"]
Key = tuple[str, int, bool, Colour, Anchor]


class Lettering:
    """Text of one layer: between `begin` and `end` every visible line is put down again."""

    def __init__(self) -> None:
        self.batch = Batch()
        self.previous: dict[Key, list[Label]] = {}
        self.current: dict[Key, list[Label]] = {}
        self.lines: list[tuple[Key, int, int]] = []
        self.lines_before = self.lines

    def begin(self) -> None:
        self.previous, self.current = self.current, {}
        self.lines, self.lines_before = [], self.lines

    def has_changed(self) -> bool:
        """Return True if the lines are others, or elsewhere, than before the last `begin`."""
        return self.lines != self.lines_before

    def put(self, text: str, x: float, y: float, size: int, colour: Colour, anchor: Anchor, *, bold: bool) -> None:
        """Put down one line, its middle height at `y`."""
        key = (text, size, bold, colour, anchor)
        self.lines.append((key, round(x), round(y)))
        spare = self.previous.get(key)
        if spare:
            label = spare.pop()
            label.position = (round(x), round(y), 0)
        else:
            label = Label(
                text,
                font_name=FONT,
                font_size=size * 0.75,
                weight="bold" if bold else "normal",
                color=colour,
                x=round(x),
                y=round(y),
                anchor_x=anchor,
                anchor_y="center",
                batch=self.batch,
            )
        self.current.setdefault(key, []).append(label)

    def end(self) -> None:
        for labels in self.previous.values():
            for label in labels:
                label.delete()
        self.previous = {}

    def draw(self) -> None:
        self.batch.draw()


def load_fonts() -> None:
    """Load the client's font, which comes with arcade; call once before the first text."""
    for bold in (False, True):
        pyglet.font.add_file(BytesIO(font_file(bold=bold).read_bytes()))
