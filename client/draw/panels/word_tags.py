"""Places of words that can be asked about: their explanations as tooltips, and a mark for each part of the window."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from client.text.phrases import phrase
from client.text.texts import Texts
from client.text.word_help import helps_in
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from protocol.text import Text

MARK = 12
"""Side of a mark in pixels."""


def tag_words(ui: Ui, rect: Rect, texts: Texts, *asked: Text | None) -> None:
    """Let the words of texts that are drawn in a place be asked about there; nothing where none has an explanation."""
    helps = dict(found for text in asked for found in helps_in(texts, text))
    if not helps or rect.h <= 0:
        return
    lines = [phrase("tip.means", name=name, words=told.words) for name, told in helps.items()]
    rule = next((told.rule for told in helps.values() if told.rule), "")
    ui.tag(rect, phrase("tip.word", name=next(iter(helps))), "\n".join(lines), rule=rule)


def draw_part_marks(ui: Ui, parts: Mapping[str, Rect], look_up: Act) -> None:
    """Draw a question mark in the corner of each part of the window that is not shut, which says what it shows."""
    side = ui.px(MARK)
    for name, part in parts.items():
        if not part.w:
            continue
        box = Rect(part.right - side, part.top - side, side, side)
        ui.part(("mark", name), (box, look_up), partial(_draw_mark, ui, box, name, look_up), under=box)


def _draw_mark(ui: Ui, box: Rect, name: str, look_up: Act) -> None:
    hover = box.contains(*ui.mouse)
    ui.label("?", *box.centre, size=theme.SMALL, colour=theme.TEXT if hover else theme.FAINT, anchor="center")
    ui.tag(box, phrase("tip.part", part=name), phrase(f"part.{name}"), look_up)
