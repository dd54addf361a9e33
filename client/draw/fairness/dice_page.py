"""Drawing of a page about dice in the middle of the window: a sentence with its mark, lines to scroll, buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.draw.fairness.mark import draw_mark, sign_tone
from client.draw.fairness.scrolled_lines import ScrolledLines
from client.fairness.dice_mark import Sign
from client.fairness.dice_page import PageLine
from client.text.texts import Texts
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from protocol.text import Text

WIDTH = 680
SLACK = 16
"""Spare pixels at the right, since bold letters are drawn wider than they are measured."""
BUTTONS = 3
"""Columns of the row of buttons, also where there are fewer buttons."""


@dataclass
class DicePage:
    """Contents of the page.

    `close`: the first button's words with its act, which Esc does too; `others`: those of the other buttons; `note`:
    words above the buttons.
    """

    title: Text
    sentence: Text
    sign: Sign | None
    lines: Sequence[PageLine]
    close: tuple[Text, Act]
    others: Sequence[tuple[Text, Act]] = ()
    note: str = ""


def draw_dice_page(ui: Ui, texts: Texts, page: DicePage, scrolled: ScrolledLines) -> None:
    """Draw the page over everything, as high as its lines need, if the window is."""
    ui.begin_popup()
    room = ui.popup_room.inset(ui.px(12))
    width = min(ui.px(WIDTH), room.w) - ui.px(20)
    note = ui.lines_height(page.note, width, size=theme.SMALL) if page.note else 0
    sentence = _sentence_height(ui, width, page, texts)
    lines = sum(scrolled.heights(ui, width, page.lines, texts))
    outside = ui.px(20) + ui.px(28) + ui.px(8) + ui.px(32) + ui.px(8) + note
    ui.page = room.middle(ui.px(WIDTH), outside + sentence + lines)
    inside = ui.panel(ui.page, texts.say(page.title))
    foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
    _buttons(ui, foot, page, texts)
    if note:
        row, inside = inside.cut_bottom(note)
        ui.lines(page.note, Rect(row.x, row.y - 2, row.w, row.h + 2), size=theme.SMALL, colour=theme.GOOD)
        ui.tag(row, page.note)
    head, inside = inside.cut_top(sentence, ui.px(8))
    _sentence(ui, head, page, texts)
    scrolled.draw(ui, inside, page.lines, texts)


def _edge(ui: Ui, page: DicePage) -> int:
    return ui.px(32) if page.sign is not None else 0


def _sentence_height(ui: Ui, width: float, page: DicePage, texts: Texts) -> float:
    words = texts.say(page.sentence)
    return max(ui.lines_height(words, width - _edge(ui, page) - ui.px(SLACK), bold=True), ui.px(20)) if words else 0


def _sentence(ui: Ui, rect: Rect, page: DicePage, texts: Texts) -> None:
    words, tone = texts.say(page.sentence), theme.TEXT
    if page.sign is not None:
        draw_mark(ui, rect.x + ui.px(8), rect.top - ui.px(8), ui.px(8), page.sign)
        tone = sign_tone(page.sign)
    body = rect.cut_left(_edge(ui, page))[1]
    ui.lines(words, Rect(body.x, body.y - 2, body.w - ui.px(SLACK), body.h + 2), bold=True, colour=tone)
    ui.tag(rect, words)


def _buttons(ui: Ui, foot: Rect, page: DicePage, texts: Texts) -> None:
    first, *rest = foot.columns(BUTTONS, ui.px(8))
    words, act = page.close
    ui.button(first, texts.say(words), act, primary=True, key=ui.keys.shown("back"))
    for box, (words, act) in zip(rest, page.others, strict=False):
        ui.button(box, texts.say(words), act)
